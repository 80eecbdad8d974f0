# SPDX-License-Identifier: Apache-2.0
# Regret over size, one line per choice. `styles` has a word for each: 0 the portable pick, then default, systems, 64, 256,
# largest.
set title title
set xlabel x_title
set ylabel 'slowdown against the best (times)'
set logscale xy
set xrange [x_lo:x_hi]
set yrange [y_lo:y_hi]
set style line 31 linecolor rgb blue   linewidth 3   pointtype 7  pointsize 0.9
set style line 32 linecolor rgb green  linewidth 1.8 pointtype 5  pointsize 0.8
set style line 33 linecolor rgb orange linewidth 1.8 pointtype 9  pointsize 0.9
set style line 34 linecolor rgb sky    linewidth 1.8 pointtype 4  pointsize 0.9 dashtype 2
set style line 35 linecolor rgb purple linewidth 1.8 pointtype 13 pointsize 0.9 dashtype 4
set style line 36 linecolor rgb black  linewidth 1.8 pointtype 6  pointsize 0.9 dashtype 3
height = 360 + 15 * lines
# The pick is drawn again, over the others.
plot for [i=0:lines - 1] data index i using 1:2 with linespoints linestyle 31 + int(word(styles, i + 1)) title columnheader(1), \
     data index 0 using 1:2 skip 1 with linespoints linestyle 31 + int(word(styles, 1)) notitle
