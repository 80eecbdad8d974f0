# SPDX-License-Identifier: Apache-2.0
# Other programs against the best kernel. Rows: position from the top, label of the case, a factor for each program.
set title title
set xlabel 'time of the other program over the best kernel''s'
set logscale x
set xrange [x_lo:x_hi]
set yrange [rows - 0.4:-0.6]
set arrow from 1, graph 0 to 1, graph 1 nohead linecolor rgb black linewidth 1.4
height = 170 + 24 * (rows < 4 ? 4 : rows)
set style line 31 linecolor rgb blue   pointtype 7  pointsize 1.1
set style line 32 linecolor rgb orange pointtype 9  pointsize 1.2
set style line 33 linecolor rgb green  pointtype 5  pointsize 1.0
set style line 34 linecolor rgb purple pointtype 13 pointsize 1.2
set style line 35 linecolor rgb red    pointtype 11 pointsize 1.2
set style line 36 linecolor rgb sky    pointtype 4  pointsize 1.0
set style line 37 linecolor rgb black  pointtype 6  pointsize 1.0
set style line 38 linecolor rgb grey   pointtype 12 pointsize 1.0
plot data using (1):1:(0):ytic(2) with points pointtype -1 notitle, \
     for [p=0:peers - 1] data using 3 + p:1 with points linestyle 31 + p title value(sprintf('peer_%d', p))
