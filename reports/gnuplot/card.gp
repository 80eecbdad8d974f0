# SPDX-License-Identifier: Apache-2.0
# The picture for shared links. Rows: position from the top, part of the full length, 1 if bad, label, figure.
# Above the whole picture; a title would stand above the bars.
set label 1 title at screen 0.5,0.96 center font ',14' noenhanced
set label 2 line_1."\n".line_2."\n".line_3 at screen 0.5,0.89 center noenhanced
set tmargin 6
unset grid
set border 0
set tics scale 0
unset xtics
set xrange [0:1.5]
set yrange [rows - 0.4:-0.6]
width = 720; scale = 1.5; height = 378 # 1.91 to 1, the format of shared links
plot data using (0):1:(0):ytic(4) with points pointtype -1 notitle, \
     data using ($2 / 2):1:($2 / 2):($3 == 0 ? 0.36 : NaN) with boxxyerror fillcolor rgb blue notitle, \
     data using ($2 / 2):1:($2 / 2):($3 == 1 ? 0.36 : NaN) with boxxyerror fillcolor rgb red notitle, \
     data using 2:1:5 with labels left offset 0.5,0 notitle
