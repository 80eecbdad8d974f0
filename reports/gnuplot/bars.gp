# SPDX-License-Identifier: Apache-2.0
# Slowdown by shape. Rows: position from the top, slowdown, label of the bar, label of the axis, colour.
set title title
set xlabel 'compute time against the best (times)'
set ylabel 'workgroup shape'
set xrange [0:longest * 1.12]
set yrange [rows - 0.4:-0.6]
set grid noytics
height = 150 + 30 * (rows < 4 ? 4 : rows)
is(c) = column(5) == c ? 0.36 : NaN
plot data using (0):1:(0):ytic(4) with points pointtype -1 notitle, \
     data using ($2 / 2):1:($2 / 2):(is(1)) with boxxyerror fillcolor rgb blue title 'best', \
     data using ($2 / 2):1:($2 / 2):(is(2)) with boxxyerror fillcolor rgb sky title 'tied with it', \
     data using ($2 / 2):1:($2 / 2):(is(3)) with boxxyerror fillcolor rgb orange title 'a system''s own', \
     data using ($2 / 2):1:($2 / 2):(is(0)) with boxxyerror fillcolor rgb grey title 'other', \
     data using 2:1:3 with labels left offset 0.5,0 notitle
