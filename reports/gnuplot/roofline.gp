# SPDX-License-Identifier: Apache-2.0
# Points by family under min(peak_bytes * x, peak_flops).
set title title
set xlabel 'intensity (FLOP a byte of least traffic)'
set ylabel 'useful work (FLOP/s)'
set logscale xy
set xrange [x_lo:x_hi]
set yrange [y_lo:y_hi]
set samples 600
set key rmargin top vertical Left reverse width 0
width = 800; height = 480
array colour[9] = [blue, orange, green, red, purple, sky, black, '#8c6d31', '#666666']
array kind[13] = [7, 5, 9, 13, 11, 6, 4, 8, 12, 10, 1, 2, 3] # no two families have the same
roof(x) = x * peak_bytes < peak_flops ? x * peak_bytes : peak_flops
plot roof(x) with lines linecolor rgb black linewidth 2 title 'measured roof', \
     for [i=0:families - 1] data index i using 1:2 with points pointtype kind[i % 13 + 1] pointsize 1.1 \
         linewidth 1.6 linecolor rgb colour[i % 9 + 1] title columnheader(1)
