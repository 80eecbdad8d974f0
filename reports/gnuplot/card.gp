# SPDX-License-Identifier: Apache-2.0
# The picture for shared links. Rows: position from the top, part of the full length, 1 if bad, label, figure.
set title title
unset grid
set border 0
set tics scale 0
unset xtics
set xrange [0:1.5]
set yrange [rows - 0.4:-0.6]
height = 378 # 1.91 to 1, the format of shared links
plot data using (0):1:(0):ytic(4) with points pointtype -1 notitle, \
     data using ($2 / 2):1:($2 / 2):($3 == 0 ? 0.36 : NaN) with boxxyerror fillcolor rgb blue notitle, \
     data using ($2 / 2):1:($2 / 2):($3 == 1 ? 0.36 : NaN) with boxxyerror fillcolor rgb red notitle, \
     data using 2:1:5 with labels left offset 0.5,0 notitle
