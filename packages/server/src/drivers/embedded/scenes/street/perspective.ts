import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Stage } from '../stage.ts'

/** How far the street goes, in metres. */
export const farthest = 150
export const focalUnits = 0.92
/** Height of the eye in metres. */
export const eye = 1.75

/** Where a point of the street lies: metres from the middle, above the ground and away. */
export type Project = (x: number, y: number, z: number) => { x: number; y: number }

/** Between two distances, in metres. */
export interface Slice {
  near: number
  far: number
}

export function projection({ geometry, horizon }: Stage): Project {
  const focal = geometry.unit * focalUnits
  return (x, y, z) => ({ x: geometry.width / 2 + (x / z) * focal, y: horizon + ((eye - y) / z) * focal })
}

/** Four corners of a part of a wall. */
export function quad(
  context: SKRSContext2D,
  project: Project,
  x: number,
  [y0, y1]: readonly [number, number],
  [z0, z1]: readonly [number, number],
): void {
  const corners = [project(x, y0, z0), project(x, y1, z0), project(x, y1, z1), project(x, y0, z1)]
  context.beginPath()
  for (const [index, corner] of corners.entries()) {
    if (index === 0) context.moveTo(corner.x, corner.y)
    else context.lineTo(corner.x, corner.y)
  }
  context.closePath()
  context.fill()
}
