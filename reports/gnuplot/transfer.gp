# SPDX-License-Identifier: Apache-2.0
# Stacked bars. Rows: position from the top, ends of upload, of compute and of download (ns), label of the axis, share of
# moving.
set title title
set xlabel x_title
set ylabel 'kernel'
set xrange [0:longest * 1.2]
set yrange [rows - 0.4:-0.6]
set grid noytics
height = 150 + 40 * (rows < 3 ? 3 : rows)
middle(a, b) = (a + b) / 2 / unit
half(a, b) = (b - a) / 2 / unit
plot data using (0):1:(0):ytic(5) with points pointtype -1 notitle, \
     data using (middle(0, $2)):1:(half(0, $2)):(0.34) with boxxyerror fillcolor rgb sky title 'upload', \
     data using (middle($2, $3)):1:(half($2, $3)):(0.34) with boxxyerror fillcolor rgb blue title 'compute', \
     data using (middle($3, $4)):1:(half($3, $4)):(0.34) with boxxyerror fillcolor rgb orange title 'download', \
     data using ($4 / unit):1:6 with labels left offset 0.5,0 notitle
