# SPDX-License-Identifier: Apache-2.0
# Writes the plot that the template has just made, as SVG for the page and as PNG.
set terminal svg size width,height dynamic font 'sans,13' background '#ffffff'
set output name.'.svg'
replot
set output
if (strstrt(GPVAL_TERMINALS, 'pngcairo')) {
    set terminal pngcairo size 1.5 * width,1.5 * height font 'sans,10' fontscale 1.5 linewidth 1.4
} else {
    set terminal png size width,height
}
set output name.'.png'
replot
set output
