import type { Stage } from '../stage.ts'

export interface StreetKind {
  /** Distance from the middle of the street to the kerb. All lengths are in meters. */
  kerbDistance: number
  /** Distance from the middle of the street to the walls. */
  wallDistance: number
  /** Range of the houses' heights. */
  heightMin: number
  heightMax: number
  /** Length of the front of a house. */
  frontLength: number
  storeyHeight: number
  wallColors: readonly string[]
  /** Probability of a sign on a shop. Above 1, some shops have two. */
  signRate: number
  hasTrees: boolean
  /** Distance between street lamps. */
  lampInterval: number
}

const kinds = {
  boulevard: {
    kerbDistance: 5,
    wallDistance: 9.5,
    heightMin: 17,
    heightMax: 21,
    frontLength: 16,
    storeyHeight: 3.3,
    wallColors: ['#d9cbb0', '#cfc0a8', '#e0d4bc', '#c4b49c'],
    signRate: 0.3,
    hasTrees: true,
    lampInterval: 16,
  },
  downtown: {
    kerbDistance: 6,
    wallDistance: 9,
    heightMin: 26,
    heightMax: 70,
    frontLength: 22,
    storeyHeight: 3.6,
    wallColors: ['#7c7a80', '#8e8378', '#6c7480', '#a0927f', '#5c6068'],
    signRate: 0.5,
    hasTrees: false,
    lampInterval: 20,
  },
  neon: {
    kerbDistance: 3.6,
    wallDistance: 5.6,
    heightMin: 12,
    heightMax: 30,
    frontLength: 8,
    storeyHeight: 3.2,
    wallColors: ['#6c6870', '#7c7470', '#5c6068', '#84787c'],
    signRate: 1.6,
    hasTrees: false,
    lampInterval: 18,
  },
  oldTown: {
    kerbDistance: 2.8,
    wallDistance: 4.2,
    heightMin: 8,
    heightMax: 13,
    frontLength: 7.5,
    storeyHeight: 3,
    wallColors: ['#d8a070', '#c8b48c', '#b8746c', '#d8c49c', '#8ca09c', '#c89858', '#a8b48c'],
    signRate: 0.5,
    hasTrees: false,
    lampInterval: 13,
  },
  alley: {
    kerbDistance: 1.5,
    wallDistance: 2.1,
    heightMin: 8,
    heightMax: 14,
    frontLength: 9,
    storeyHeight: 3.1,
    wallColors: ['#a87c5c', '#8c8074', '#b08c68', '#94705c'],
    signRate: 0.5,
    hasTrees: false,
    lampInterval: 7,
  },
} satisfies Record<string, StreetKind>

export function chooseStreetKind(stage: Stage): StreetKind {
  const { brief } = stage
  if (brief.settings.has('alley')) return kinds.alley
  if (brief.style === 'neon' || (brief.weather === 'rain' && brief.time === 'night')) return kinds.neon
  const names =
    brief.time === 'night'
      ? (['neon', 'downtown', 'boulevard', 'oldTown'] as const)
      : (['boulevard', 'oldTown', 'downtown'] as const)
  return kinds[stage.pick('street', names)]
}
