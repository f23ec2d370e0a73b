import type { SKRSContext2D } from '@napi-rs/canvas'
import { fillEllipse } from '../brush.ts'

/**
 * Draws a wheel on the ground. When `phase` grows by 1, the wheel turns by a fifth of a rotation,
 * after which its five spokes look the same.
 */
export function drawWheel(context: SKRSContext2D, x: number, radius: number, phase: number): void {
  context.fillStyle = '#16151b'
  fillEllipse(context, x, -radius, radius)
  context.fillStyle = '#b9bec6'
  fillEllipse(context, x, -radius, radius * 0.62)
  context.fillStyle = '#2b2c34'
  for (let spoke = 0; spoke < 5; spoke++) {
    const angle = ((spoke + phase) / 5) * Math.PI * 2
    fillEllipse(context, x + Math.cos(angle) * radius * 0.36, -radius + Math.sin(angle) * radius * 0.36, radius * 0.13)
  }
  context.fillStyle = '#6d727c'
  fillEllipse(context, x, -radius, radius * 0.14)
}
