# SPDX-License-Identifier: Apache-2.0
# Slowdown by workgroup x and y, or x and another tunable. Rows: x, y, slowdown, label, 1 for the best.
set title title
set xlabel 'workgroup x (invocations)'
set ylabel y_title
set cblabel 'slowdown against the best (times)'
unset key
unset grid
set border 0
set tics scale 0
set xrange [-0.5:columns - 0.5]
set yrange [-0.5:rows - 0.5]
set cbrange [1:worst]
# Cividis (Nunez, Anderton and Renslow 2018): light means fast, also to colour-blind readers and in grey.
set palette defined (0 '#fee838', 0.25 '#bcae6c', 0.5 '#7d7c78', 0.75 '#414d6b', 1 '#00224e')
dark(v) = v > 1 + 0.4 * (worst - 1)
# Narrow tiles have no room for a label; the colour tells, and the best keeps its own.
height = rows > 5 ? 130 + 44 * rows : 380
plot data using 1:2:(0.48):(0.48):(valid(3) ? $3 : NaN) with boxxyerror fillcolor palette, \
     data using 1:2:(valid(3) ? NaN : 0.48):(0.48) with boxxyerror fillcolor rgb '#eeeeee', \
     data using 1:2:($5 == 1 ? 0.48 : NaN):(0.48) with boxxyerror fillstyle empty border linecolor rgb red linewidth 3 linecolor rgb red, \
     data using 1:(columns > 8 && $5 != 1 ? NaN : $2):4:(valid(3) && dark($3) ? 0xffffff : 0x222222) with labels textcolor rgb variable
