# SPDX-License-Identifier: Apache-2.0
# Slowdown by shape. Rows: position from the top, slowdown, label of the bar, label of the shape, colour.
set title title
set xlabel 'compute time against the best (times)'
set ylabel 'workgroup shape'
unset ytics
set xrange [0:longest * 1.16]
set yrange [rows - 0.4:-0.75]
height = 150 + 38 * rows
at(c) = column(5) == c ? 0.17 : NaN
plot data using ($2 / 2):($1 + 0.12):($2 / 2):(at(1)) with boxxyerror fillcolor rgb blue title 'best', \
     data using ($2 / 2):($1 + 0.12):($2 / 2):(at(2)) with boxxyerror fillcolor rgb sky title 'tied with it', \
     data using ($2 / 2):($1 + 0.12):($2 / 2):(at(3)) with boxxyerror fillcolor rgb orange title 'a system''s own', \
     data using ($2 / 2):($1 + 0.12):($2 / 2):(at(0)) with boxxyerror fillcolor rgb grey title 'other', \
     data using 2:($1 + 0.12):3 with labels left offset 0.5,0 notitle, \
     data using (0):($1 - 0.28):4 with labels left offset 0.5,0 notitle
