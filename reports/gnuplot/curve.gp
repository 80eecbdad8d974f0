# SPDX-License-Identifier: Apache-2.0
# A figure over a dim, one line per series. Both axes are logarithmic, except for shares, from 0 to 1.
set title title
set xlabel x_title
set ylabel y_title
set logscale x
set xrange [x_lo:x_hi]
if (log_y) { set logscale y; set yrange [y_lo:y_hi] } else { set yrange [0:1]; set format y '%.1f' }
height = 350 + 15 * lines
array curves[6] = [11, 12, 13, 14, 15, 16]
set style line 11 linecolor rgb blue linewidth 2.4 pointtype 7 pointsize 0.9
plot for [i=0:lines - 1] data index i using 1:2 with linespoints linestyle curves[i + 1] title columnheader(1)
