import type { SKRSContext2D } from '@napi-rs/canvas'

/** A box in pixels of the canvas. */
export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

/**
 * Tracks a box around everything that is traced on a context, so that only this part of the canvas
 * must be read. Reading allocates memory for each pixel. The box may be larger than the drawing,
 * because it contains whole clip paths and the control points of curves. Text, images and drop
 * shadows are not included.
 */
export class Extent {
  #matrix: Matrix = identity
  #saved: Matrix[] = []
  #box = emptyBox()
  /** Half width of the widest stroke so far. */
  #strokeReach = 0

  constructor(context: SKRSContext2D) {
    const track = <Name extends TrackedMethod>(
      name: Name,
      extendBox: (...args: Parameters<SKRSContext2D[Name]>) => void,
    ): void => {
      const native = context[name] as (...args: Parameters<SKRSContext2D[Name]>) => void // one of the overloads fits
      const tracked = (...args: Parameters<SKRSContext2D[Name]>): void => {
        extendBox(...args)
        native.apply(context, args)
      }
      Object.assign(context, { [name]: tracked })
    }
    const point = (x: number, y: number): void => this.#reach(x, y)
    const rectangle = (x: number, y: number, width: number, height: number): void => {
      this.#reach(x, y)
      this.#reach(x + width, y)
      this.#reach(x, y + height)
      this.#reach(x + width, y + height)
    }
    const stroke = (): void => this.#widen(context.lineWidth, context.lineJoin === 'miter' ? context.miterLimit : 1)
    track('moveTo', point)
    track('lineTo', point)
    track('quadraticCurveTo', (nearX, nearY, x, y) => {
      this.#reach(nearX, nearY)
      this.#reach(x, y)
    })
    track('bezierCurveTo', (nearX, nearY, farX, farY, x, y) => {
      this.#reach(nearX, nearY)
      this.#reach(farX, farY)
      this.#reach(x, y)
    })
    track('arc', (x, y, radius) => rectangle(x - radius, y - radius, radius * 2, radius * 2))
    track('ellipse', (x, y, radiusX, radiusY) => {
      const radius = Math.max(radiusX, radiusY)
      rectangle(x - radius, y - radius, radius * 2, radius * 2)
    })
    track('rect', rectangle)
    track('roundRect', rectangle)
    track('fillRect', rectangle)
    track('strokeRect', (...corners) => {
      rectangle(...corners)
      stroke()
    })
    track('stroke', stroke)
    track('translate', (x, y) => this.#transform([1, 0, 0, 1, x, y]))
    track('scale', (x, y) => this.#transform([x, 0, 0, y, 0, 0]))
    track('rotate', (angle) => {
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
      this.#transform([cos, sin, -sin, cos, 0, 0])
    })
    track('transform', (...matrix) => this.#transform(matrix))
    track('save', () => void this.#saved.push(this.#matrix))
    track('restore', () => (this.#matrix = this.#saved.pop() ?? this.#matrix))
    track('reset', () => {
      this.#matrix = identity
      this.#saved = []
      this.#box = emptyBox()
      this.#strokeReach = 0
    })
  }

  /**
   * Returns the box in whole pixels, clipped to a canvas of this size, or undefined if nothing was
   * drawn.
   */
  clippedTo(width: number, height: number): Box | undefined {
    const { left, top, right, bottom } = this.#box
    // Antialiasing extends an edge by one pixel.
    const edge = this.#strokeReach + 1
    const box = {
      left: Math.max(0, Math.floor(left - edge)),
      top: Math.max(0, Math.floor(top - edge)),
      right: Math.min(width, Math.ceil(right + edge)),
      bottom: Math.min(height, Math.ceil(bottom + edge)),
    }
    return box.left < box.right && box.top < box.bottom ? box : undefined
  }

  #reach(x: number, y: number): void {
    const [a, b, c, d, e, f] = this.#matrix
    const mappedX = a * x + c * y + e
    const mappedY = b * x + d * y + f
    const box = this.#box
    if (mappedX < box.left) box.left = mappedX
    if (mappedX > box.right) box.right = mappedX
    if (mappedY < box.top) box.top = mappedY
    if (mappedY > box.bottom) box.bottom = mappedY
  }

  #widen(lineWidth: number, miterFactor: number): void {
    const [a, b, c, d] = this.#matrix
    this.#strokeReach = Math.max(this.#strokeReach, (lineWidth / 2) * miterFactor * Math.max(Math.hypot(a, b), Math.hypot(c, d)))
  }

  #transform([a, b, c, d, e, f]: Matrix): void {
    const [a1, b1, c1, d1, e1, f1] = this.#matrix
    this.#matrix = [
      a1 * a + c1 * b,
      b1 * a + d1 * b,
      a1 * c + c1 * d,
      b1 * c + d1 * d,
      a1 * e + c1 * f + e1,
      b1 * e + d1 * f + f1,
    ]
  }
}

type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

type TrackedMethod =
  | 'moveTo'
  | 'lineTo'
  | 'quadraticCurveTo'
  | 'bezierCurveTo'
  | 'arc'
  | 'ellipse'
  | 'rect'
  | 'roundRect'
  | 'fillRect'
  | 'strokeRect'
  | 'stroke'
  | 'translate'
  | 'scale'
  | 'rotate'
  | 'transform'
  | 'save'
  | 'restore'
  | 'reset'

const identity: Matrix = [1, 0, 0, 1, 0, 0]

function emptyBox(): Box {
  return { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }
}
