# SPDX-License-Identifier: Apache-2.0
# A point from run to run. Rows: number of the run, median, low, high. Arrows mark changes.
set title title
set xlabel 'run, by date'
set ylabel y_title
set xrange [0.5:runs + 0.5]
set offsets graph 0, graph 0, graph 0.15, graph 0.15
unset key
plot data using 1:2:3:4 with yerrorlines linestyle 1
