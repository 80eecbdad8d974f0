# SPDX-License-Identifier: Apache-2.0
# Time against size. Blocks of the data: `others` shapes, then `marked` shapes. `styles` has a word for each marked one.
# With `cliffs`, a last block has the sizes that are slower than a larger one.
set title title
set xlabel x_title
set ylabel 'compute time, median'
set logscale xy
set xrange [x_lo:x_hi]
set yrange [y_lo:y_hi]
height = 330 + 22 * (marked + (others > 0) + cliffs)
plot for [i=0:others - 1] data index i using 1:2 skip 1 with linespoints linestyle 4 pointtype 7 pointsize 0.25 notitle, \
     (others > 0 ? NaN : NaN) with lines linestyle 4 title (others > 0 ? 'other shapes' : ''), \
     for [i=others:others + marked - 1] data index i using 1:2:3:4 \
         with yerrorlines linestyle int(word(styles, i - others + 1)) title columnheader(1), \
     for [i=others + marked:others + marked + cliffs - 1] data index i using 1:2 skip 1 \
         with points pointtype 6 pointsize 2 linewidth 2 linecolor rgb '#b34400' title 'slower than a larger size'
