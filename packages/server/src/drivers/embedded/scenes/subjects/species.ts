import { hex, type Rgb } from '../../picture/colour.ts'

/** Proportions of a walking animal in side view; lengths in shoulder heights. */
export interface Species {
  coat: Rgb
  /** Legs, ear tips, mane. */
  dark: Rgb
  /** Cheeks, chest, tail tip. */
  light: Rgb
  /** Shoulder height in units of the frame. */
  height: number
  body: number
  girth: number
  /** Foot to elbow. */
  leg: number
  legWidth: number
  neck: { length: number; rise: number; width: number }
  head: { length: number; depth: number; muzzle: number }
  ears: 'pointed' | 'round' | 'hanging' | 'leaf'
  tail: 'brush' | 'whip' | 'flag' | 'hair' | 'stub'
  isMarked: boolean
  mane?: boolean
  antlers?: boolean
  /** Steps a second. */
  pace: number
}

const canine = {
  body: 1.12,
  girth: 0.36,
  leg: 0.6,
  legWidth: 0.06,
  neck: { length: 0.3, rise: 0.62, width: 0.18 },
  head: { length: 0.42, depth: 0.15, muzzle: 0.055 },
} as const

export const species = {
  fox: {
    ...canine,
    coat: hex('#cf5a22'),
    dark: hex('#2e1a16'),
    light: hex('#f6ece0'),
    height: 0.15,
    body: 1.18,
    girth: 0.36,
    leg: 0.55,
    legWidth: 0.05,
    ears: 'pointed',
    tail: 'brush',
    isMarked: true,
    pace: 0.95,
  },
  wolf: {
    ...canine,
    coat: hex('#767b86'),
    dark: hex('#3c4048'),
    light: hex('#c9ccd2'),
    height: 0.19,
    ears: 'pointed',
    tail: 'brush',
    isMarked: true,
    pace: 0.85,
  },
  dog: {
    ...canine,
    coat: hex('#c89454'),
    dark: hex('#8a5c30'),
    light: hex('#f0e2c8'),
    height: 0.15,
    neck: { length: 0.28, rise: 0.85, width: 0.19 },
    ears: 'hanging',
    tail: 'flag',
    isMarked: true,
    pace: 1.1,
  },
  cat: {
    coat: hex('#b98a5c'),
    dark: hex('#6c4a30'),
    light: hex('#f2e6d6'),
    height: 0.115,
    body: 1.22,
    girth: 0.38,
    leg: 0.54,
    legWidth: 0.066,
    neck: { length: 0.2, rise: 0.75, width: 0.17 },
    head: { length: 0.3, depth: 0.18, muzzle: 0.1 },
    ears: 'pointed',
    tail: 'whip',
    isMarked: true,
    pace: 1,
  },
  horse: {
    coat: hex('#7a4a2c'),
    dark: hex('#241612'),
    light: hex('#8a5836'),
    height: 0.22,
    body: 1.02,
    girth: 0.38,
    leg: 0.6,
    legWidth: 0.052,
    neck: { length: 0.56, rise: 0.95, width: 0.19 },
    head: { length: 0.42, depth: 0.115, muzzle: 0.075 },
    ears: 'leaf',
    tail: 'hair',
    isMarked: false,
    mane: true,
    pace: 0.8,
  },
  deer: {
    coat: hex('#a06a3c'),
    dark: hex('#5a3a24'),
    light: hex('#ecdcc4'),
    height: 0.22,
    body: 0.98,
    girth: 0.34,
    leg: 0.64,
    legWidth: 0.04,
    neck: { length: 0.5, rise: 1.15, width: 0.14 },
    head: { length: 0.34, depth: 0.105, muzzle: 0.055 },
    ears: 'leaf',
    tail: 'stub',
    isMarked: true,
    antlers: true,
    pace: 0.75,
  },
  bear: {
    coat: hex('#5c4030'),
    dark: hex('#3a281e'),
    light: hex('#8a6a4e'),
    height: 0.22,
    body: 1.16,
    girth: 0.52,
    leg: 0.46,
    legWidth: 0.11,
    neck: { length: 0.26, rise: 0.3, width: 0.27 },
    head: { length: 0.36, depth: 0.19, muzzle: 0.09 },
    ears: 'round',
    tail: 'stub',
    isMarked: false,
    pace: 0.65,
  },
} satisfies Record<string, Species>

export type SpeciesName = keyof typeof species
