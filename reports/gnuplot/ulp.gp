# SPDX-License-Identifier: Apache-2.0
# Histogram of errors by powers of two, with a logarithmic count. The bound is a line.
set title title
set xlabel 'error (ULP, up to; last bar: above 256 and wrong classes)'
set ylabel 'elements'
set logscale y
set format y '%.0s%c'
set xrange [-0.6:15.6]
set yrange [0.5:most > 4 ? most * 3 : 12] # two powers of ten at least
set grid noxtics
set boxwidth 0.86
set arrow from bound, graph 0 to bound, graph 1 nohead linecolor rgb red linewidth 2.4 dashtype 2 front
plot data using 1:($2 > 0 ? $2 : NaN) with boxes fillcolor rgb blue title 'elements with this error', \
     NaN with lines linecolor rgb red linewidth 2.4 dashtype 2 title bound_title
