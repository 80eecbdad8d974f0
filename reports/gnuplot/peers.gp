# SPDX-License-Identifier: Apache-2.0
# Other programs against the best kernel. Rows: position from the top, label of the case, a factor for each program.
set title title
set xlabel 'time of the other program over the best kernel''s'
set logscale x
set xrange [x_lo:x_hi]
unset ytics
set ylabel 'case'
set yrange [rows - 0.4:-0.7]
set errorbars 0 # the marks of 1 x, one a row
height = 130 + 22 * peers + 34 * rows
set style line 31 linecolor rgb blue   pointtype 7  pointsize 1.1
set style line 32 linecolor rgb orange pointtype 9  pointsize 1.2
set style line 33 linecolor rgb green  pointtype 5  pointsize 1.0
set style line 34 linecolor rgb purple pointtype 13 pointsize 1.2
set style line 35 linecolor rgb red    pointtype 11 pointsize 1.2
set style line 36 linecolor rgb sky    pointtype 4  pointsize 1.0
set style line 37 linecolor rgb black  pointtype 6  pointsize 1.0
set style line 38 linecolor rgb grey   pointtype 12 pointsize 1.0
plot data using (1):($1 + 0.2):(0.24) with yerrorbars pointtype -1 linecolor rgb black linewidth 1.4 notitle, \
     data using (x_lo):($1 - 0.22):2 with labels left offset 0.5,0 notitle, \
     for [p=0:peers - 1] data using 3 + p:($1 + 0.2) with points linestyle 31 + p title value(sprintf('peer_%d', p))
