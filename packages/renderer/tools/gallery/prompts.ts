/**
 * Prompts of the sheet in `docs/` in reading order, two per row. Together they show most places,
 * times, weathers and styles.
 */
export const sheetPrompts = [
  'a red fox walking along a lake at dusk',
  'a lighthouse on the coast in a storm at night',
  'hot air balloons over misty mountains at sunrise',
  'a tokyo street at night in the rain, neon',
  'a humpback whale in the deep blue sea, underwater',
  'an astronaut and a rocket near a ringed planet in space',
  'a deer in a foggy autumn forest',
  'a camel in the desert dunes at golden sunset',
  'northern lights over a snowy forest',
  'a field of sunflowers in summer',
  'a castle by a lake with a rainbow',
  'a train crossing a bridge at dawn',
  'a tropical beach at noon',
  'a wolf in a blizzard',
  'a cherry blossom garden in spring, watercolour',
  'abstract liquid marble in gold and teal',
  'mountains in the mist, ink painting',
  'a city at night, pixel art',
  'a car driving in the desert, black and white',
  'a village in the snow on a winter evening',
  'a cosy room with a window on a rainy night',
  'above the clouds at sunrise',
  'a volcano erupting at night',
  'a waterfall in the jungle',
  'two horses on a meadow in the morning, oil painting',
  'a sailing boat at sea, paper cut',
  'a lone tree under a large red sun, minimal',
  'floating lanterns on a river at night',
  'a robot walking through a neon city',
  '一只狐狸在雪地里，极光',
]

/** Moments of each video on the sheet. 0 is its start and 1 its end. */
export const sheetMoments = [0.04, 0.5, 0.96]

/** The videos of the clip in order. */
export const clipPrompts = [
  'a red fox walking along a lake at dusk',
  'a humpback whale in the deep blue sea, underwater',
  'a lighthouse on the coast in a storm at night',
  'a field of sunflowers in summer',
]
