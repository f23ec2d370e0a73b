import { hex, type Rgb } from '../../picture/color.ts'
import { bovine, camelid, canine, cervine, equine, feline, ursine, type Build } from './builds.ts'
import type { GaitName } from './gait.ts'

/** An animal: its build, and the properties in which it differs from others of that build. */
export interface Species {
  build: Build
  coat: Rgb
  /** Colors of the other animals in a group. */
  coats?: readonly Rgb[]
  /** Color of dark parts, such as the mane, the insides of the ears and the pattern. */
  dark: Rgb
  /** Color of the cheeks, the chest, the belly and the tail tip. */
  light: Rgb
  /** Shoulder height in units of the frame. */
  height: number
  gait: GaitName
  /** Strides per second. */
  pace: number
  ears: 'pointed' | 'round' | 'hanging' | 'leaf'
  /** Scale of the ears. */
  earScale?: number
  tail: 'brush' | 'drooping' | 'whip' | 'tuft' | 'flag' | 'hair' | 'stub'
  foot: 'paw' | 'hoof'
  /** Height below which the legs are dark, in shoulder heights. */
  socks?: number
  /** Whether the light color extends over the cheeks, the chest and the belly. */
  isPaleBelow?: boolean
  mane?: 'horse' | 'lion' | 'brush'
  crown?: 'antlers' | 'horn'
  pattern?: 'stripes' | 'bars' | 'rosettes' | 'panda' | 'patches'
  /** Scale of the head. */
  headScale?: number
}

export const species = {
  fox: {
    build: canine,
    coat: hex('#d2622a'),
    dark: hex('#2c1c1a'),
    light: hex('#f6efe6'),
    height: 0.165,
    gait: 'trot',
    pace: 1.25,
    ears: 'pointed',
    earScale: 1.25,
    tail: 'brush',
    foot: 'paw',
    socks: 0.4,
    isPaleBelow: true,
  },
  wolf: {
    build: canine,
    coat: hex('#7d8088'),
    coats: ['#55524f'].map(hex),
    dark: hex('#43464e'),
    light: hex('#d6d6d6'),
    height: 0.2,
    gait: 'trot',
    pace: 1.15,
    ears: 'pointed',
    tail: 'drooping',
    foot: 'paw',
    isPaleBelow: true,
  },
  dog: {
    build: canine,
    coat: hex('#c98f4e'),
    coats: ['#e6d8c0'].map(hex),
    dark: hex('#8f5d30'),
    light: hex('#f3e6cf'),
    height: 0.18,
    gait: 'trot',
    pace: 1.3,
    ears: 'hanging',
    tail: 'flag',
    foot: 'paw',
    isPaleBelow: true,
  },
  cat: {
    build: feline,
    coat: hex('#c08a55'),
    coats: ['#6e6a70'].map(hex),
    dark: hex('#6d4728'),
    light: hex('#f4e9da'),
    height: 0.145,
    gait: 'walk',
    pace: 1.2,
    ears: 'pointed',
    tail: 'whip',
    foot: 'paw',
    isPaleBelow: true,
    pattern: 'bars',
    headScale: 1.18,
  },
  tiger: {
    build: feline,
    coat: hex('#d9822e'),
    dark: hex('#221611'),
    light: hex('#f8efe2'),
    height: 0.22,
    gait: 'amble',
    pace: 0.85,
    ears: 'round',
    tail: 'whip',
    foot: 'paw',
    isPaleBelow: true,
    pattern: 'stripes',
  },
  lion: {
    build: feline,
    coat: hex('#cf9e58'),
    dark: hex('#6b3d1e'),
    light: hex('#f0ddb8'),
    height: 0.23,
    gait: 'amble',
    pace: 0.8,
    ears: 'round',
    tail: 'tuft',
    foot: 'paw',
    isPaleBelow: true,
    mane: 'lion',
  },
  leopard: {
    build: feline,
    coat: hex('#d8a451'),
    dark: hex('#2a1a12'),
    light: hex('#f5ead4'),
    height: 0.19,
    gait: 'walk',
    pace: 0.95,
    ears: 'round',
    tail: 'whip',
    foot: 'paw',
    isPaleBelow: true,
    pattern: 'rosettes',
  },
  horse: {
    build: equine,
    coat: hex('#8a5430'),
    coats: ['#4a332a'].map(hex),
    dark: hex('#261812'),
    light: hex('#a9744a'),
    height: 0.25,
    gait: 'walk',
    pace: 0.85,
    ears: 'leaf',
    tail: 'hair',
    foot: 'hoof',
    socks: 0.34,
    mane: 'horse',
  },
  unicorn: {
    build: equine,
    coat: hex('#f3eff2'),
    dark: hex('#c9a6d8'),
    light: hex('#ffffff'),
    height: 0.25,
    gait: 'walk',
    pace: 0.8,
    ears: 'leaf',
    tail: 'hair',
    foot: 'hoof',
    mane: 'horse',
    crown: 'horn',
  },
  zebra: {
    build: equine,
    coat: hex('#f2ece2'),
    dark: hex('#1f1b1c'),
    light: hex('#fbf8f2'),
    height: 0.225,
    gait: 'walk',
    pace: 0.9,
    ears: 'leaf',
    tail: 'tuft',
    foot: 'hoof',
    mane: 'brush',
    pattern: 'stripes',
  },
  deer: {
    build: cervine,
    coat: hex('#a9713e'),
    dark: hex('#5b3a22'),
    light: hex('#efe1ca'),
    height: 0.235,
    gait: 'walk',
    pace: 0.85,
    ears: 'leaf',
    tail: 'stub',
    foot: 'hoof',
    isPaleBelow: true,
    crown: 'antlers',
  },
  camel: {
    build: camelid,
    coat: hex('#c59a62'),
    dark: hex('#7c5a36'),
    light: hex('#e2c492'),
    height: 0.24,
    gait: 'amble',
    pace: 0.7,
    ears: 'round',
    earScale: 0.7,
    tail: 'tuft',
    foot: 'hoof',
  },
  cow: {
    build: bovine,
    coat: hex('#f3eee6'),
    dark: hex('#2b2422'),
    light: hex('#fbf7f0'),
    height: 0.215,
    gait: 'amble',
    pace: 0.7,
    ears: 'leaf',
    tail: 'tuft',
    foot: 'hoof',
    pattern: 'patches',
  },
  bear: {
    build: ursine,
    coat: hex('#6a4830'),
    dark: hex('#3f2a1d'),
    light: hex('#97714f'),
    height: 0.23,
    gait: 'amble',
    pace: 0.75,
    ears: 'round',
    tail: 'stub',
    foot: 'paw',
  },
  panda: {
    build: ursine,
    coat: hex('#f4f1ea'),
    dark: hex('#211f22'),
    light: hex('#ffffff'),
    height: 0.2,
    gait: 'amble',
    pace: 0.75,
    ears: 'round',
    tail: 'stub',
    foot: 'paw',
    pattern: 'panda',
    headScale: 1.12,
  },
} satisfies Record<string, Species>

export type SpeciesName = keyof typeof species
