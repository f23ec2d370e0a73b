import { readPrompt } from '../scenes/prompt/read-prompt.ts'
import type { SceneBrief } from '../scenes/prompt/scene-brief.ts'
import type { Place } from '../scenes/prompt/place.ts'
import {
  birdsong,
  brook,
  cityHum,
  deepDrone,
  fallingWater,
  fire,
  nightCrickets,
  rain,
  roomTone,
  waves,
  wind,
  type Ambience,
} from './ambiences.ts'

/** Words of a prompt that add a sound to the ambiences of its place. */
const ambiencePatterns: [pattern: RegExp, ambience: Ambience][] = [
  [/\b(fire\w*|campfire|flame\w*|candle\w*|bonfire)\b|火/i, fire],
  [/\b(dream\w*|drone)\b/i, deepDrone],
  [/\b(cricket\w*|firefl\w*)\b/i, nightCrickets],
  [/\b(wind\w*|breeze)\b|风/i, wind],
]

/** Ambiences of each place by day and by night, the most important one first. */
const ambiencesByPlace: Record<Place, { day: readonly Ambience[]; night: readonly Ambience[] }> = {
  lake: { day: [wind, birdsong], night: [nightCrickets] },
  river: { day: [brook, birdsong], night: [brook, nightCrickets] },
  waterfall: { day: [fallingWater, birdsong], night: [fallingWater] },
  volcano: { day: [fire, wind], night: [fire, wind] },
  sky: { day: [wind], night: [wind] },
  mountains: { day: [wind, birdsong], night: [wind] },
  beach: { day: [waves], night: [waves] },
  sea: { day: [waves], night: [waves] },
  forest: { day: [birdsong], night: [nightCrickets] },
  desert: { day: [wind], night: [wind] },
  village: { day: [birdsong], night: [nightCrickets] },
  room: { day: [roomTone], night: [roomTone] },
  street: { day: [cityHum], night: [cityHum] },
  city: { day: [cityHum], night: [cityHum] },
  space: { day: [deepDrone], night: [deepDrone] },
  snowfield: { day: [wind], night: [wind] },
  meadow: { day: [birdsong], night: [nightCrickets] },
  underwater: { day: [waves, deepDrone], night: [waves, deepDrone] },
  table: { day: [roomTone], night: [roomTone] },
  podium: { day: [deepDrone], night: [deepDrone] },
  stadium: { day: [cityHum], night: [cityHum] },
  emblem: { day: [deepDrone], night: [deepDrone] },
  abstract: { day: [deepDrone], night: [deepDrone] },
}

/** More simultaneous ambiences would sound muddy. */
const ambiencesMax = 2

/**
 * Chooses the ambiences of the scene that the prompt describes. The weather comes first, then words
 * of the prompt, then the place.
 */
export function chooseAmbiences(prompt: string): [Ambience, ...Ambience[]] {
  const brief = readPrompt(prompt)
  const namedAmbiences = ambiencePatterns.filter(([pattern]) => pattern.test(prompt)).map(([, ambience]) => ambience)
  const [first = wind, ...others] = new Set([...weatherAmbiences(brief), ...namedAmbiences, ...placeAmbiences(brief)])
  return [first, ...others.slice(0, ambiencesMax - 1)]
}

function weatherAmbiences({ weather }: SceneBrief): Ambience[] {
  return weather === 'rain' ? [rain] : weather === 'snow' ? [wind] : []
}

function placeAmbiences({ place, time }: SceneBrief): readonly Ambience[] {
  return ambiencesByPlace[place][time === 'night' ? 'night' : 'day']
}
