# SPDX-License-Identifier: Apache-2.0
# Time of one use over the number of uses sharing an upload: two curves, and level lines for constant times.
set title title
set xlabel 'uses of one upload'
set ylabel 'time of one use'
set logscale xy
set xrange [0.9:1100]
set yrange [y_lo:y_hi]
set xtics (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
set style line 21 linecolor rgb blue  linewidth 2.6
set style line 22 linecolor rgb sky linewidth 2.2 dashtype 2
set style line 23 linecolor rgb black linewidth 1.8 dashtype 4
set style line 24 linecolor rgb green linewidth 2 dashtype 3
set style line 25 linecolor rgb red pointtype 9 pointsize 1.3
if (beat > 0) set arrow from beat, graph 0 to beat, graph 1 nohead linecolor rgb black linewidth 1 dashtype 3
if (beat > 0) set label sprintf('from %.0f', beat) at beat, graph 0.96 left offset 0.6,0 textcolor rgb black
plot for [i=0:1] data index i using 1:2 with lines linestyle 21 + i title columnheader(1), \
     (scalar > 0 ? scalar : NaN) with lines linestyle 23 title (scalar > 0 ? 'scalar reference, one core' : ''), \
     compute with lines linestyle 24 title 'compute alone', \
     '+' using (1):(whole) every ::0::0 with points linestyle 25 title (whole > 0 ? 'end to end, as measured' : '')
