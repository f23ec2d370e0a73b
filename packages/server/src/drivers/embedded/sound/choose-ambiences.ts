import { birdsong, cityHum, deepDrone, fire, nightCrickets, rain, waves, wind, type Ambience } from './ambiences.ts'

/** Words that ask for a sound, most telling first. */
const words: [pattern: RegExp, ambience: Ambience][] = [
  [/\b(rain\w*|storm\w*|thunder\w*|drizzle|monsoon|downpour)\b/i, rain],
  [/\b(sea|ocean|wave\w*|beach\w*|shore\w*|coast\w*|surf\w*|island\w*|harbou?r|underwater|reef)\b/i, waves],
  [/\b(fire\w*|campfire|flame\w*|candle\w*|lava|volcan\w*|bonfire)\b/i, fire],
  [/\b(space|galax\w*|nebula\w*|planet\w*|cosm\w*|astronaut\w*|orbit\w*|abstract|dream\w*)\b/i, deepDrone],
  [/\b(city|cities|street\w*|traffic|urban|skyline\w*|neon|downtown|tokyo|new york|market|car|cars)\b/i, cityHum],
  [/\b(night\w*|midnight|moon\w*|dusk|firefl\w*|stars?|starry|cricket\w*)\b/i, nightCrickets],
  [/\b(forest\w*|wood|woods|jungle|garden\w*|meadow\w*|morning|spring|bird\w*|park|dawn|sunrise|field\w*)\b/i, birdsong],
  [/\b(wind\w*|breeze|mountain\w*|desert\w*|snow\w*|blizzard|dune\w*|cliff\w*|fog\w*|mist\w*|cloud\w*|storm\w*)\b/i, wind],
]

/** More would be mud. */
const ambiencesMax = 2

/** What a place described so sounds like; wind where nothing is said. */
export function chooseAmbiences(prompt: string): [Ambience, ...Ambience[]] {
  const [first, ...others] = words.filter(([pattern]) => pattern.test(prompt)).map(([, ambience]) => ambience)
  return first === undefined ? [wind] : [first, ...others.slice(0, ambiencesMax - 1)]
}
