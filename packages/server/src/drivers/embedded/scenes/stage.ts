import type { Compositor, Layer } from '../picture/compositor.ts'
import type { FrameGeometry } from '../picture/frame-geometry.ts'
import { smoothstep } from '../picture/curves.ts'
import { NoiseField } from '../picture/noise-field.ts'
import { createRandom, hashText, type Random } from '../picture/random.ts'
import type { RenderPlan } from '../render-plan.ts'
import { compose, type Composition } from './composition.ts'
import { readQuotedText } from './quoted-text.ts'
import { choosePalette } from './palettes/choose-palette.ts'
import type { Palette } from './palettes/palette.ts'
import type { SceneBrief } from './scene-brief.ts'

const framesPerSecond = 24
/** The moment that a still shows. */
export const stillSeconds = 3.2

/** Layers are this much wider than the frame, so that pan and zoom never bare an edge. */
export const overscan = 1.16

export interface Moment {
  seconds: number
  /** 0 at the first frame, 1 at the last; 0.5 for a still. */
  progress: number
}

/** Draws one part of a frame; a scene is a list of these, far to near. */
export type Painter = (moment: Moment) => void

/** What every part of a scene shares: where it paints, in which colours, how the camera moves. */
export class Stage {
  readonly compositor: Compositor
  readonly geometry: FrameGeometry
  readonly brief: SceneBrief
  readonly palette: Palette
  readonly composition: Composition
  readonly noise: NoiseField
  readonly sun: { x: number; y: number }
  readonly horizon: number
  readonly #frames: number
  readonly #words: number
  readonly #seed: number
  readonly #isOfPicture: boolean

  /** `horizons` bounds the share of the height above the horizon. */
  constructor(plan: RenderPlan, brief: SceneBrief, compositor: Compositor, horizons: readonly [number, number]) {
    this.compositor = compositor
    this.geometry = compositor.geometry
    this.brief = brief
    this.#frames = plan.frames
    this.#isOfPicture = plan.mode === 'first-frame' || plan.mode === 'first-and-last-frame'
    // Another text on the same sign leaves the rest of the scene as it is.
    const { rest } = readQuotedText(plan.prompt)
    this.#words = hashWords(rest)
    this.#seed = hashText(rest, plan.seed)
    this.palette = choosePalette(brief, hashText('palette', this.#words))
    this.noise = new NoiseField(compositor.kernels, compositor.arena, this.#seed)
    this.composition = compose(brief, horizons, { words: this.wording('composition'), seeded: this.random('composition') })
    const { width, height, unit } = this.geometry
    // Of four rows, so that halved and quartered planes meet at the same line.
    this.horizon = Math.round((height * this.composition.horizon) / 4) * 4
    const { across, lift } = this.composition.sun
    this.sun = { x: width * across, y: this.horizon - unit * this.palette.sunHeight * lift }
  }

  /** A sequence of its own for each named part. */
  random(part: string): Random {
    return createRandom(hashText(part, this.#seed))
  }

  /** As `random`, but the same for every seed: what the prompt's words alone decide. */
  wording(part: string): Random {
    return createRandom(hashText(part, this.#words))
  }

  /** One of the options, by the prompt's words. */
  pick<Option>(part: string, options: readonly [Option, ...Option[]]): Option {
    return options[Math.floor(this.wording(part)() * options.length)] ?? options[0]
  }

  /** Frame pixels for a length given at 1080 rows. */
  pixels(lengthAt1080: number): number {
    return (lengthAt1080 * this.geometry.unit) / 1080
  }

  /** One picture: nothing will be seen to move. */
  get isStill(): boolean {
    return this.#frames <= 1
  }

  /** The length of the film. */
  get seconds(): number {
    return this.#frames <= 1 ? 2 * stillSeconds : this.#frames / framesPerSecond
  }

  moment(index: number): Moment {
    // A still is the middle of the film that could be, but of a given picture it is that picture.
    if (this.#frames <= 1) return { seconds: stillSeconds, progress: this.#isOfPicture ? 0 : 0.5 }
    return { seconds: index / framesPerSecond, progress: index / (this.#frames - 1) }
  }

  /** Moments that together show most of what a film shows. */
  looks(): Moment[] {
    const last = Math.max(0, this.#frames - 1)
    return last === 0 ? [this.moment(0)] : [0.12, 0.5, 0.88].map((share) => this.moment(Math.round(share * last)))
  }

  /** The slow push-in: eased, and larger for near things (`depth` 0 far to about 0.4 near). */
  zoom(depth: number, { progress }: Moment): number {
    const eased = smoothstep(0, 1, progress) * 0.35 + progress * 0.65
    return 1 + (0.012 + depth * 0.42) * eased * 0.5
  }

  /** Sideways drift in pixels. */
  pan(depth: number, { progress }: Moment): number {
    return (progress - 0.5) * depth * 0.16 * Math.min(this.geometry.width, this.geometry.unit * 1.78)
  }

  /** Where a point at rest lies now. */
  project(x: number, y: number, depth: number, moment: Moment): { x: number; y: number; zoom: number } {
    const zoom = this.zoom(depth, moment)
    const centre = this.geometry.width / 2
    return {
      x: centre + (x - centre) * zoom - this.pan(depth, moment),
      y: this.horizon + (y - this.horizon) * zoom,
      zoom,
    }
  }

  /** Draws a layer whose top left corner lies at `x`, `y` while the camera rests. */
  drawAt(
    layer: Layer,
    {
      x,
      y,
      depth,
      scale = 1,
      ...rows
    }: { x: number; y: number; depth: number; scale?: number; opacity?: number; rowFirst?: number; rowEnd?: number },
    moment: Moment,
  ): void {
    const point = this.project(x, y, depth, moment)
    this.compositor.drawLayer(layer, { x: point.x, y: point.y, scale: point.zoom * scale, ...rows })
  }
}

/** Blind to case, punctuation and spaces. */
function hashWords(prompt: string): number {
  return hashText(
    prompt
      .toLowerCase()
      .split(/[^\p{Letter}\p{Number}]+/u)
      .join(' ')
      .trim(),
  )
}
