# SPDX-License-Identifier: Apache-2.0
# Three lines over size: the scalar reference, the GPU's compute, the GPU end to end. Marks show where the GPU overtakes.
set title title
set xlabel x_title
set ylabel 'time, median'
set logscale xy
set xrange [x_lo:x_hi]
set yrange [y_lo:y_hi]
set style line 21 linecolor rgb black linewidth 2.2 pointtype 6 pointsize 0.9
set style line 22 linecolor rgb blue  linewidth 2.6 pointtype 7 pointsize 0.9
set style line 23 linecolor rgb red   linewidth 2.2 pointtype 9 pointsize 0.9 dashtype 2
if (cross_compute > 0) set arrow from cross_compute, graph 0 to cross_compute, graph 1 nohead \
    linecolor rgb blue linewidth 1 dashtype 3
if (cross_whole > 0) set arrow from cross_whole, graph 0 to cross_whole, graph 1 nohead \
    linecolor rgb red linewidth 1 dashtype 3
plot for [i=0:lines - 1] data index i using 1:2 with linespoints linestyle 21 + i title columnheader(1), \
     (cross_compute > 0 ? NaN : NaN) with lines linecolor rgb blue linewidth 1 dashtype 3 \
         title (cross_compute > 0 ? 'compute overtakes at '.cross_compute_text : ''), \
     (cross_whole > 0 ? NaN : NaN) with lines linecolor rgb red linewidth 1 dashtype 3 \
         title (cross_whole > 0 ? 'end to end overtakes at '.cross_whole_text : '')
