import { createPalettes } from './palette.ts'

/** Palettes for images drawn with light, for any time of day. */
export const neons = createPalettes({ stars: 0.9, subjectShade: 0.5, sunHeight: 0.2 }, [
  {
    // Magenta over violet.
    sky: '#03010a #07021a #10042c #200848 #400c68 #701078 #b42a80',
    glow: '#48183c',
    side: '#2a0a5c',
    haze: '#5a1470',
    farColor: '#2c0f5c',
    nearColor: '#06030f',
    litColor: '#e03ad0',
    shade: '#07031c',
    clouds: '#8a2a84 #180838',
    water: '#08041e',
    mist: '#4c1268',
    sunlight: '#d060c0',
    skylight: '#3a1a78',
    moods: ['dramatic', 'romantic', 'dreamy', 'joyful'],
  },
  {
    // Cyan over midnight blue, a pink line at the horizon.
    sky: '#01030a #020716 #030e28 #062044 #0a3c66 #1c5c84 #a03c88',
    glow: '#3c2044',
    side: '#06365c',
    haze: '#14446c',
    farColor: '#0c2c5c',
    nearColor: '#02060f',
    litColor: '#36d8ff',
    shade: '#020820',
    clouds: '#246c98 #061838',
    water: '#020a20',
    mist: '#12426c',
    sunlight: '#60b4e0',
    skylight: '#16386c',
    moods: ['calm', 'mysterious', 'eerie', 'gloomy'],
  },
])
