import type { Rgb } from '../../picture/color.ts'
import type { Writing } from './quoted-text.ts'
import type { SubjectKind } from './subject-words.ts'
import type { Place } from './place.ts'

export type TimeOfDay = 'dawn' | 'day' | 'dusk' | 'night'
export type Weather = 'clear' | 'rain' | 'snow' | 'fog'
/** Phenomena that a scene shows in addition to its place, weather and subjects. */
export type Sight = 'flowers' | 'aurora' | 'rainbow' | 'lightning'
/** Seasons other than winter. Winter is the weather `snow`. */
export type Season = 'spring' | 'summer' | 'autumn'

/** Variants of a place. A word of the prompt names the variant. */
export type Setting =
  | 'canyon'
  | 'lavender'
  | 'wheat'
  | 'alley'
  | 'library'
  | 'bedroom'
  | 'kitchen'
  | 'cafe'
  | 'sunflowers'
  | 'tulips'
  | 'poppies'
  | 'daisies'
  | 'blossom'
  | 'conifers'
  | 'birches'
  | 'bamboo'
  | 'jungle'
  | 'redwoods'
  | 'orbit'
  | 'galaxy'
  | 'gas giant'
  | 'moonscape'
  | 'mars'
  | 'soccer'
  | 'basketball'
  | 'tennis'
  | 'baseball'
  | 'portrait'

/** Particles in the air. */
export type Particles = 'fireflies' | 'embers' | 'meteors' | 'petals' | 'leaves' | 'dust' | 'bubbles'

/** Mood of a scene. It influences the choice of palette, light and clouds. */
export type Mood = 'calm' | 'dramatic' | 'dreamy' | 'gloomy' | 'mysterious' | 'joyful' | 'romantic' | 'eerie'

/** A treatment of the whole image. */
export type Style = 'watercolour' | 'oil' | 'papercut' | 'minimal' | 'ink' | 'mono' | 'film' | 'neon' | 'pixel'

/** Parts of a scene that are drawn unless the prompt negates them or its style omits them. */
export type OmittablePart = 'birds' | 'clouds' | 'stars' | 'mist' | 'plants'

export type Motion = 'runs' | 'rests' | 'sits'

/** What a subject does or undergoes, apart from `Motion`. */
export type Condition = 'burning' | 'ruined' | 'breathing fire' | 'leaping'

/** The rider on a subject's back. */
export interface Rider {
  kind: SubjectKind
  color: Rgb | undefined
}

export interface Subject {
  kind: SubjectKind
  count: number
  /** Color that the prompt names right before the subject, or the color of a person's clothes. */
  color: Rgb | undefined
  /** Motion of a subject that is able to walk. By default it walks. */
  motion?: Motion | undefined
  rider?: Rider | undefined
  condition?: Condition | undefined
}

/** What a scene shows of a prompt. */
export interface SceneBrief {
  place: Place
  time: TimeOfDay
  weather: Weather
  season: Season | undefined
  mood: Mood | undefined
  settings: ReadonlySet<Setting>
  style: Style | undefined
  sights: ReadonlySet<Sight>
  particles: ReadonlySet<Particles>
  subjects: Subject[]
  /** Colors that the prompt names, except those of subjects and garments. */
  colors: Rgb[]
  /** Parts that the prompt or the negative prompt negates, or that the style omits. */
  omittedParts: ReadonlySet<OmittablePart>
  /** Quoted words of the prompt. */
  writing: Writing | undefined
}
