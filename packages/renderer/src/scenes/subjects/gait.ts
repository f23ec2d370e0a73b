/** Path of a foot through one stride. */
export interface Gait {
  /** Share of the stride that a foot stands. */
  duty: number
  /** Distance that a standing foot falls behind, in shoulder heights. */
  reach: number
  lift: number
  /** Phase of each leg in the stride. */
  legs: { hindNear: number; foreNear: number; hindFar: number; foreFar: number }
}

/** One leg after the other, as heavy and quiet animals go. */
const walk = { hindNear: 0, foreNear: 0.27, hindFar: 0.5, foreFar: 0.77 }
/** Diagonal legs together. */
const trot = { hindNear: 0, foreNear: 0.52, hindFar: 0.5, foreFar: 0.02 }

/** The hind legs together, then the fore legs, then none on the ground. */
const gallop = { hindNear: 0, hindFar: 0.09, foreNear: 0.44, foreFar: 0.53 }

export const gaits = {
  amble: { duty: 0.66, reach: 0.5, lift: 0.07, legs: walk },
  walk: { duty: 0.62, reach: 0.56, lift: 0.1, legs: walk },
  trot: { duty: 0.5, reach: 0.6, lift: 0.15, legs: trot },
  gallop: { duty: 0.42, reach: 0.74, lift: 0.24, legs: gallop },
} satisfies Record<string, Gait>

export type GaitName = keyof typeof gaits

/** Standing: the legs differ slightly. */
const stance = { hindNear: 0.36, foreNear: 0.52, hindFar: 0.62, foreFar: 0.44 }
export const standing: Gait = { duty: 1, reach: 0.3, lift: 0, legs: stance }

/** Shoulder heights that a stride covers, so that no foot slides. */
export function strideLength({ reach, duty }: Gait): number {
  return reach / duty
}

export interface Step {
  /** Offset ahead of the hip and above the ground, in shoulder heights. */
  x: number
  up: number
  /** 0 while the foot stands, up to 1 in the middle of its swing. */
  swing: number
  /** -1 far behind, 1 far ahead. */
  ahead: number
}

export function stepAt({ duty, reach, lift }: Gait, phase: number): Step {
  const turn = phase - Math.floor(phase)
  if (turn < duty) {
    const ahead = 1 - (2 * turn) / duty
    return { x: (ahead * reach) / 2, up: 0, swing: 0, ahead }
  }
  const share = (turn - duty) / (1 - duty)
  // Lifted early, set down gently.
  const ahead = -Math.cos(share * Math.PI)
  const swing = Math.sin(share ** 0.82 * Math.PI)
  return { x: (ahead * reach) / 2, up: lift * swing, swing, ahead }
}
