/** Path of a foot through one stride. Lengths are in units of the drawing. */
export interface FootPath {
  /** Share of the stride for which a foot stands. */
  duty: number
  /** Distance that the body moves while a foot stands. */
  standDistance: number
  /** Maximum height of the foot above the ground. */
  lift: number
}

/** Movement of the four legs of an animal. */
export interface Gait extends FootPath {
  /** Phase of each leg in the stride. */
  legPhases: { hindNear: number; foreNear: number; hindFar: number; foreFar: number }
}

/** One leg after the other: the gait of heavy and quiet animals. */
const walkPhases = { hindNear: 0, foreNear: 0.27, hindFar: 0.5, foreFar: 0.77 }
/** Diagonal legs move together. */
const trotPhases = { hindNear: 0, foreNear: 0.52, hindFar: 0.5, foreFar: 0.02 }
/** First the hind legs are on the ground, then the fore legs, then no leg. */
const gallopPhases = { hindNear: 0, hindFar: 0.09, foreNear: 0.44, foreFar: 0.53 }

export const gaits = {
  amble: { duty: 0.66, standDistance: 0.5, lift: 0.07, legPhases: walkPhases },
  walk: { duty: 0.62, standDistance: 0.56, lift: 0.1, legPhases: walkPhases },
  trot: { duty: 0.5, standDistance: 0.6, lift: 0.15, legPhases: trotPhases },
  gallop: { duty: 0.42, standDistance: 0.74, lift: 0.24, legPhases: gallopPhases },
} satisfies Record<string, Gait>

export type GaitName = keyof typeof gaits

/** Standing: each leg has a slightly different position. */
const standPhases = { hindNear: 0.36, foreNear: 0.52, hindFar: 0.62, foreFar: 0.44 }
export const standing: Gait = { duty: 1, standDistance: 0.3, lift: 0, legPhases: standPhases }

/** Returns the length of a stride at which no foot slides, in units of the drawing. */
export function strideLength({ standDistance, duty }: FootPath): number {
  return standDistance / duty
}

/** Position of a foot. Lengths are in units of the drawing. */
export interface Step {
  /** Position ahead of the hip. */
  x: number
  /** Height above the ground. */
  lift: number
  /** 0 while the foot stands. During the swing, the value rises to 1 and falls again. */
  swing: number
  /** Position relative to the hip: -1 is farthest behind, 1 farthest ahead. */
  ahead: number
}

export function stepAt({ duty, standDistance, lift }: FootPath, phase: number): Step {
  const strideShare = phase - Math.floor(phase)
  if (strideShare < duty) {
    const ahead = 1 - (2 * strideShare) / duty
    return { x: (ahead * standDistance) / 2, lift: 0, swing: 0, ahead }
  }
  const swingShare = (strideShare - duty) / (1 - duty)
  // The foot is lifted early and set down gently.
  const ahead = -Math.cos(swingShare * Math.PI)
  const swing = Math.sin(swingShare ** 0.82 * Math.PI)
  return { x: (ahead * standDistance) / 2, lift: lift * swing, swing, ahead }
}
