# SPDX-License-Identifier: Apache-2.0
# Writes the plot that the template has just made, as SVG for the page and as PNG. Names have
# underscores: no text is enhanced.
set terminal svg size width,height dynamic noenhanced font 'sans,13' background '#ffffff'
set output name.'.svg'
replot
set output
if (strstrt(GPVAL_TERMINALS, 'pngcairo')) {
    set terminal pngcairo size 1.5 * width,1.5 * height noenhanced font 'sans,10' fontscale 1.5 linewidth 1.4
} else {
    set terminal png size width,height
}
set title font ',11' # the same share of the picture as in the SVG, whose letters are counted by (plot.c)
set output name.'.png'
replot
set output
