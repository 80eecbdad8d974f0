# SPDX-License-Identifier: Apache-2.0
# Writes the template's plot as SVG for the page and as PNG. Names have underscores, so no text is enhanced.
set terminal svg size width,height dynamic noenhanced font 'sans,13' background '#ffffff'
set output name.'.svg'
replot
set output
if (strstrt(GPVAL_TERMINALS, 'pngcairo')) {
    set terminal pngcairo size scale * width,scale * height noenhanced font 'sans,10' fontscale scale linewidth 0.93 * scale
} else {
    set terminal png size scale * width,scale * height
}
set title font ',11' # same share of the picture as in the SVG; plot.c counts letters by the SVG
set output name.'.png'
replot
set output
