# SPDX-License-Identifier: Apache-2.0
# Settings of all charts. Okabe and Ito's colours are distinct with any colour vision, and each line also has its own kind
# of point.
set encoding utf8
set datafile missing 'NaN'
unset grid
set grid back linetype 1 linecolor '#dddddd' linewidth 0.7
set border 3 linecolor '#555555'
set tics nomirror out scale 0.6
set style fill solid 1 noborder
set title noenhanced font ',14'
set xlabel noenhanced offset 0,0.4
set ylabel noenhanced
set key bmargin center horizontal Left reverse noenhanced samplen 2 spacing 1.1 width -3 height 0.6 # gnuplot overestimates texts
set rmargin 4
# The least width that fits all charts: text of 13 units stays above 9 pixels on a phone, where a chart is 359 pixels wide.
width = 512; height = 380
scale = 2 # of the PNG

# Templates plot without output first; output.gp plots again.
set terminal unknown
set output

black = '#222222'; grey = '#aaaaaa'; orange = '#e69f00'; sky = '#56b4e9'; green = '#009e73'
blue = '#0072b2'; red = '#d55e00'; purple = '#cc79a7'

# Roles of a shape: 1 best, 3 default, 4 other, from 12 on the system shapes.
set style line 1 linecolor rgb blue   linewidth 3   pointtype 7  pointsize 0.9
set style line 3 linecolor rgb green  linewidth 1.8 pointtype 5  pointsize 0.8
set style line 4 linecolor rgb grey   linewidth 0.9
set style line 12 linecolor rgb orange linewidth 1.8 pointtype 9  pointsize 0.9
set style line 13 linecolor rgb purple linewidth 1.8 pointtype 13 pointsize 0.9
set style line 14 linecolor rgb red    linewidth 1.8 pointtype 11 pointsize 0.9
set style line 15 linecolor rgb sky    linewidth 1.8 pointtype 4  pointsize 0.9
set style line 16 linecolor rgb black  linewidth 1.8 pointtype 6  pointsize 0.9
