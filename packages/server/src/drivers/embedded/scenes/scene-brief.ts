import type { Rgb } from '../picture/colour.ts'
import type { Writing } from './quoted-text.ts'
import type { SubjectKind } from './subject-words.ts'

export type Place =
  | 'lake'
  | 'river'
  | 'volcano'
  | 'sky'
  | 'beach'
  | 'waterfall'
  | 'mountains'
  | 'sea'
  | 'forest'
  | 'desert'
  | 'village'
  | 'city'
  | 'street'
  | 'room'
  | 'space'
  | 'snowfield'
  | 'meadow'
  | 'underwater'
  | 'table'
  | 'podium'
  | 'stadium'
  | 'emblem'
  | 'abstract'
export type TimeOfDay = 'dawn' | 'day' | 'dusk' | 'night'
export type Weather = 'clear' | 'rain' | 'snow' | 'fog'
/** What a scene shows beside its place, its weather and its subjects. */
export type Sight = 'flowers' | 'aurora' | 'rainbow' | 'lightning'
/** Winter is snow. */
export type Season = 'spring' | 'summer' | 'autumn'

/** A kind of its place that a word names. */
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
  | 'giant'
  | 'moonscape'
  | 'mars'
  | 'soccer'
  | 'basketball'
  | 'tennis'
  | 'baseball'
  | 'portrait'

/** What fills the air. */
export type Air = 'fireflies' | 'embers' | 'meteors' | 'petals' | 'leaves' | 'dust' | 'bubbles'

/** What a scene should feel like: it chooses among palettes, light and clouds. */
export type Mood = 'calm' | 'dramatic' | 'dreamy' | 'gloomy' | 'mysterious' | 'joyful' | 'romantic' | 'eerie'

/** A treatment of the whole picture. */
export type Style = 'watercolour' | 'oil' | 'papercut' | 'minimal' | 'ink' | 'mono' | 'film' | 'neon' | 'pixel'

/** Things of a scene that are there unless the negative prompt names them. */
export type Extra = 'birds' | 'clouds' | 'stars' | 'mist' | 'plants'

export type Motion = 'runs' | 'rests' | 'sits'

/** What has happened or happens to a subject. */
export type Condition = 'burning' | 'ruined' | 'breathing fire' | 'leaping'

/** Who sits on a subject's back. */
export interface Rider {
  kind: SubjectKind
  colour: Rgb | undefined
}

export interface Subject {
  kind: SubjectKind
  count: number
  /** Named in the prompt right before the subject, or of what a person wears. */
  colour: Rgb | undefined
  /** What those do that could walk; they walk unless the prompt says otherwise. */
  motion?: Motion | undefined
  rider?: Rider | undefined
  condition?: Condition | undefined
}

/** What a prompt asks for, as far as the scenes can show it. */
export interface SceneBrief {
  place: Place
  time: TimeOfDay
  weather: Weather
  season: Season | undefined
  mood: Mood | undefined
  settings: ReadonlySet<Setting>
  style: Style | undefined
  sights: ReadonlySet<Sight>
  airs: ReadonlySet<Air>
  subjects: Subject[]
  /** Colours of the whole picture. */
  colours: Rgb[]
  without: ReadonlySet<Extra>
  /** What the prompt quotes. */
  writing: Writing | undefined
}
