import { describe, expect, it } from 'vitest'
import { differenceOf, videoOf } from './styles/render.fixture.ts'

/** Mean difference of two frames, in code values, above which motion is visible. */
const motionMin = 2

/** Prompts for every kind of scene, and prompts without any known word. */
const prompts = [
  'a lake at dawn',
  'mountains at noon',
  'a river in autumn',
  'a volcano at night',
  'above the clouds at noon',
  'a tropical beach',
  'a waterfall',
  'a village in the evening',
  'a street at noon',
  'an alley at night',
  'a room at noon',
  'a library at night',
  'a kitchen in the morning',
  'the sea at night',
  'a forest in fog',
  'a desert at noon',
  'a city at noon',
  'a city at night',
  'space',
  'the surface of the moon',
  'snowfield at dawn',
  'a meadow at noon',
  'underwater',
  'abstract marble',
  'a bowl of ramen on a table',
  'a cup of coffee in a café in Paris',
  'a perfume bottle on a podium',
  'a wristwatch, product shot on black',
  'a football match in a stadium',
  'a basketball game in an arena',
  'tennis on a clay court, a tennis match',
  'a logo of a fox',
  'minimalist logo for a bakery called "Crumb"',
  'the feeling of nostalgia',
  'xyzzy plugh',
  'a castle standing on a hill at noon',
  'a house in the snow, night',
  'a lone tree under a large sun, minimal',
  'mountains, ink painting',
  'a lake, oil painting',
  'a sailing boat, paper cut',
  'a chef in a kitchen',
  'a skateboarder in the street at noon',
  'a surfer',
  'a snowboarder',
  'a whale breaching beside an iceberg',
  'a title "The End" over a lake at night',
]

describe('motion of videos', () => {
  it.each(prompts)('a video of %j has visible motion between 0.5 s and 3.5 s', (prompt) => {
    const video = videoOf(prompt, { width: 192, height: 108, frames: 120 })
    expect(differenceOf(video.rgb(12), video.rgb(84))).toBeGreaterThan(motionMin)
  })
})
