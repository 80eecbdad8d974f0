# SPDX-License-Identifier: Apache-2.0
# Blocks of the data file: the slope of memory, `roofs` roofs, `families` families of points, `outliers` numbered points.
set title title
set xlabel 'intensity (operations a byte of least traffic)'
set ylabel 'useful work (operations a second)'
set logscale xy
set xrange [x_lo:x_hi]
set yrange [y_lo:y_hi]
# The key has two columns below the plot. gnuplot leaves out the rows of a key that is higher than the plot itself, so the
# plot grows with the key: 24 of the SVG's units a row.
rows = (roofs + 2 + families + outliers) / 2
plot_height = 24 * rows > 290 ? 24 * rows : 290
set key at screen 0.01,0.01 left bottom vertical maxcols 2 maxrows rows width -8
height = 140 + plot_height + 22 * rows
set bmargin 4.6 + 1.05 * rows
set style textbox opaque fillcolor rgb 'white' noborder margins 0.4,0.3
array colour[9] = [blue, orange, green, red, purple, sky, black, '#8c6d31', '#666666']
array kind[13] = [7, 5, 9, 13, 11, 6, 4, 8, 12, 10, 1, 2, 3] # distinct for all families
array dash[4] = [1, 2, 4, 3]
array roof_colour[3] = [black, orange, purple] # a new one when the dashes repeat
first = roofs + 1 # block of the first family
plot for [i=0:roofs] data index i using 1:2 with lines linecolor rgb roof_colour[i / 4 % 3 + 1] linewidth 2 dashtype dash[i % 4 + 1] \
         title columnheader(1), \
     for [i=0:families - 1] data index first + i using 1:2 with points pointtype kind[i % 13 + 1] pointsize 0.9 \
         linewidth 1.4 linecolor rgb colour[i % 9 + 1] title columnheader(1), \
     for [i=0:outliers - 1] data index first + families + i using 1:2 with points pointtype 6 pointsize 2.2 \
         linewidth 1.4 linecolor rgb black title columnheader(1), \
     for [i=0:outliers - 1] data index first + families + i using 3:4:5 skip 1 with labels center boxed \
         textcolor rgb black notitle
