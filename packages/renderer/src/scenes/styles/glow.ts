import { toFixedSample, toFixedShare } from '../../picture/fixed-point.ts'
import { enlargeLevels, reduceInto, allocateHalves } from '../../picture/pyramid.ts'
import type { Level } from '../../picture/level.ts'
import type { Painter, Stage } from '../stage.ts'

export interface GlowLook {
  /** Light above which an area glows, in code values above black. */
  threshold: number
  /** Share to which vivid colors count as light. */
  colorWeight: number
  /** Share of its own color that a glow keeps. */
  keptShare: number
  /** Color that is added to every glow, in U and V, as shares of the glow's light. */
  tint: readonly [u: number, v: number]
  /** Factor with which the blurred glow is added to the frame. */
  strength: number
  /** Share of each wider glow that is added to the narrower glow: 0 is narrow, 1 is wide. */
  spread: number
}

/** Kernel that adds a plane: `addLight` for luma, which is never negative, `addGlow` for chroma. */
type AddKernel = 'addLight' | 'addGlow'

/** Paints a glow around bright areas. */
export function paintGlow({ compositor }: Stage, look: GlowLook): Painter {
  const { kernels, arena, words } = compositor
  const [frameY, frameU, frameV] = [compositor.level('y'), compositor.level('u'), compositor.level('v')]
  const levelCount = 4
  const halves = allocateHalves(compositor, frameY, levelCount + 1)
  const [halfLevel = frameY, ...luma] = halves
  const chroma = [allocateHalves(compositor, frameU, levelCount), allocateHalves(compositor, frameV, levelCount)] as const
  const [quarterLuma = frameY] = luma
  const settings = arena.allocate(10 * 4)

  const addTo = (to: Level | undefined, from: Level | undefined, gain: number, add: AddKernel): void => {
    if (to && from)
      kernels[add](to.address, to.strideBytes, from.address, from.strideBytes, to.columns, to.rows, toFixedShare(gain))
  }
  const blur = (levels: readonly Level[], add: AddKernel): void => {
    for (const [index, level] of levels.entries()) {
      const from = levels[index - 1]
      if (!from) continue
      kernels.reduceGlow(level.address, level.strideBytes, from.address, from.strideBytes, level.columns, level.rows, from.rows)
    }
    for (let index = levels.length - 1; index > 0; index--) addTo(levels[index - 1], levels[index], look.spread, add)
  }

  return () => {
    reduceInto(compositor, frameY, [halfLevel, quarterLuma])
    for (const [plane, levels] of [
      [frameU, chroma[0]],
      [frameV, chroma[1]],
    ] as const)
      reduceInto(compositor, plane, levels.slice(0, 1))
    words.set(
      [
        quarterLuma.address,
        chroma[0][0]?.address ?? 0,
        chroma[1][0]?.address ?? 0,
        quarterLuma.strideBytes,
        quarterLuma.rows,
        toFixedSample(look.threshold),
        toFixedShare(look.colorWeight),
        toFixedShare(look.keptShare),
        toFixedShare(look.tint[0]),
        toFixedShare(look.tint[1]),
      ],
      settings >> 2,
    )
    kernels.passBright(settings)
    blur(luma, 'addLight')
    enlargeLevels(compositor, [quarterLuma, halfLevel])
    addTo(frameY, halfLevel, look.strength, 'addLight')
    for (const [plane, levels] of [
      [frameU, chroma[0]],
      [frameV, chroma[1]],
    ] as const) {
      blur(levels, 'addGlow')
      addTo(plane, levels[0], look.strength, 'addGlow')
    }
  }
}
