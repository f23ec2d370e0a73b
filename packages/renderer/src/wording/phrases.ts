import type { Place } from '../scenes/prompt/place.ts'
import type { Season, TimeOfDay } from '../scenes/prompt/scene-brief.ts'

/** Phrases that name the place of a scene, for example after "a fox". */
export const placePhrases: Record<Place, string> = {
  lake: 'beside a still lake',
  river: 'beside a winding river',
  volcano: 'near a smoking volcano',
  sky: 'high in the sky',
  beach: 'on a sandy beach',
  waterfall: 'near a tall waterfall',
  mountains: 'below high mountains',
  sea: 'by the open sea',
  forest: 'in an old forest',
  desert: 'in a wide desert',
  village: 'in an old village',
  city: 'in front of a city skyline',
  street: 'on a lively street',
  room: 'in a cozy room',
  space: 'in deep space',
  snowfield: 'on a wide snowfield',
  meadow: 'in a wide meadow',
  underwater: 'deep underwater',
  table: 'on a wooden table',
  podium: 'on a plain podium',
  stadium: 'in a full stadium',
  emblem: 'as a plain logo',
  abstract: 'as an abstract composition',
}

export const seasonPhrases: Record<Season, string> = {
  spring: 'in late spring',
  summer: 'in high summer',
  autumn: 'in early autumn',
}

/** Places whose plants change with the season. */
export const seasonalPlaces: ReadonlySet<Place> = new Set([
  'lake',
  'river',
  'mountains',
  'waterfall',
  'forest',
  'village',
  'meadow',
])

const outdoorLight: Record<TimeOfDay, string> = {
  dawn: 'in the soft, low light of dawn',
  day: 'in the clear light of day',
  dusk: 'in warm, low light at dusk',
  night: 'at night, under pale moonlight',
}

const indoorLight: Record<TimeOfDay, string> = {
  dawn: 'in the soft light of early morning',
  day: 'in even daylight from one side',
  dusk: 'in warm evening light from one side',
  night: 'at night, in the glow of a few lamps',
}

/** Phrases for the light of places to which `outdoorLight` does not apply. */
const lightByPlace: Partial<Record<Place, Record<TimeOfDay, string>>> = {
  room: indoorLight,
  table: indoorLight,
  podium: indoorLight,
  underwater: { ...outdoorLight, day: 'with pale rays of daylight from above' },
  space: { ...outdoorLight, night: 'lit from one side against the dark' },
  stadium: { ...outdoorLight, night: 'at night, under bright floodlights' },
}

/** Returns a phrase for the light of a place at a time of day. */
export function lightPhrase(place: Place, time: TimeOfDay): string {
  return (lightByPlace[place] ?? outdoorLight)[time]
}

/** Framings by the distance of the subject from the camera. */
export const framings = {
  far: ['Wide shot with deep focus', 'Wide, level framing with deep focus', 'Low, wide framing'],
  middle: ['Medium shot with shallow focus', 'Low-angle medium shot', 'Full-length framing with a soft background'],
  near: ['Close-up with shallow focus', 'Close, level framing with a soft background'],
} as const

/** Moves of the camera in a video. */
export const cameraMoves = [
  'the camera moves slowly forward',
  'the camera pans slowly to the left',
  'the camera pans slowly to the right',
  'the camera rises slowly',
  'the camera holds still',
] as const
