# SPDX-License-Identifier: Apache-2.0
# Writes the template's plot as SVG for the page and as PNG. Names have underscores, so no text is enhanced.
set terminal svg size width,height dynamic noenhanced font 'sans,13' background '#ffffff'
set output name.'.svg'
replot
set output
if (strstrt(GPVAL_TERMINALS, 'pngcairo')) {
    set terminal pngcairo size 1.5 * width,1.5 * height noenhanced font 'sans,10' fontscale 1.5 linewidth 1.4
} else {
    set terminal png size width,height
}
set title font ',11' # same share of the picture as in the SVG; plot.c counts letters by the SVG
set output name.'.png'
replot
set output
