/** Path of a foot through one stride. */
export interface Gait {
  /** Share of the stride for which a foot stands. */
  duty: number
  /** Distance that the body moves while a foot stands, in shoulder heights. */
  reach: number
  lift: number
  /** Phase of each leg in the stride. */
  legs: { hindNear: number; foreNear: number; hindFar: number; foreFar: number }
}

/** One leg after the other: the gait of heavy and quiet animals. */
const walk = { hindNear: 0, foreNear: 0.27, hindFar: 0.5, foreFar: 0.77 }
/** Diagonal legs move together. */
const trot = { hindNear: 0, foreNear: 0.52, hindFar: 0.5, foreFar: 0.02 }

/** First the hind legs are on the ground, then the fore legs, then no leg. */
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

/** Returns the distance of a stride in shoulder heights. With this distance, no foot slides. */
export function strideLength({ reach, duty }: Gait): number {
  return reach / duty
}

export interface Step {
  /** Position of the foot ahead of the hip, and above the ground, in shoulder heights. */
  x: number
  lift: number
  /** 0 while the foot stands. The value rises to 1 in the middle of the swing. */
  swing: number
  /** Position of the foot relative to the hip: -1 is far behind, 1 far ahead. */
  ahead: number
}

export function stepAt({ duty, reach, lift }: Gait, phase: number): Step {
  const turn = phase - Math.floor(phase)
  if (turn < duty) {
    const ahead = 1 - (2 * turn) / duty
    return { x: (ahead * reach) / 2, lift: 0, swing: 0, ahead }
  }
  const share = (turn - duty) / (1 - duty)
  // The foot is lifted early and set down gently.
  const ahead = -Math.cos(share * Math.PI)
  const swing = Math.sin(share ** 0.82 * Math.PI)
  return { x: (ahead * reach) / 2, lift: lift * swing, swing, ahead }
}
