import { blendTone, hex, mixRgb, scaleRgb, setTone, type Rgb } from '../../picture/color.ts'
import { clamp, smoothstep } from '../../picture/curves.ts'
import { crowns } from '../trees/season.ts'
import type { Stage } from '../stage.ts'
import type { Material } from './light-ground.ts'
import type { Plane } from './plane.ts'
import type { Woods } from '../trees/plant-trees.ts'

/**
 * Returns the material of mountains: snow on high and fairly level ground, rock on steep ground,
 * and meadows and woods below the tree line.
 */
export function createAlpineMaterial(
  stage: Stage,
  { xs, zs }: Plane,
  { snowLine, treeLine }: { snowLine: number; treeLine: number },
): Material {
  const { palette, brief, noise } = stage
  const isWinter = brief.weather === 'snow'
  const snow: Rgb = hex('#f4f7ff')
  const stone = stage.pick('stone', ['#7c7470', '#706c74', '#847264', '#666a6c'])
  const rock = mixRgb(hex(stone), palette.farColor, 0.25)
  const darkRock = scaleRgb(rock, 0.62)
  const grassColor = isWinter ? mixRgb(snow, rock, 0.25) : brief.season === 'autumn' ? hex('#a07c3c') : hex('#64783f')
  const woodColor = isWinter ? hex('#5c6c74') : brief.season === 'autumn' ? hex('#6c4a2c') : hex('#24402f')
  const snowHeight = isWinter ? 0.1 : snowLine
  const grain = noise.sampleAt({ shape: 'soft', octaves: 5, gain: 0.6 }, xs, zs, { scale: 2.3, shiftY: 30 })
  return ({ index, height, level }, tone) => {
    const roughness = (grain[index] ?? 0) * 1.8
    const snowShare =
      smoothstep(snowHeight - 0.2, snowHeight + 0.35, height + (level - 0.7) * 0.9 + roughness * 0.4) *
      smoothstep(0.42, 0.68, level + roughness * 0.12)
    const plantShare =
      smoothstep(0.6, 0.82, level + roughness * 0.1) * (1 - smoothstep(treeLine * 0.5, treeLine * 1.4, height + roughness * 0.3))
    const woodShare = smoothstep(-0.25, 0.2, roughness) * (1 - smoothstep(treeLine * 0.4, treeLine, height))
    setTone(tone, rock)
    blendTone(tone, darkRock, clamp(0.5 + roughness))
    blendTone(tone, grassColor, plantShare * (1 - woodShare))
    blendTone(tone, woodColor, plantShare * woodShare)
    blendTone(tone, snow, snowShare)
  }
}

/**
 * Returns the look of trees in mountains: firs, which are white in snow, or broad trees in the
 * color of the season that the prompt names.
 */
export function woodsOf(stage: Stage, air: Rgb): Pick<Woods, 'color' | 'crown' | 'snow' | 'air' | 'reach'> {
  const { palette, brief } = stage
  const leaf = brief.season ? crowns[brief.season] : undefined
  const shade = 0.3 + palette.subjectShade
  if (leaf && brief.weather !== 'snow') {
    const color = mixRgb(leaf, palette.nearColor, shade * 0.6)
    return { color: scaleRgb(color, 0.8), crown: mixRgb(color, palette.sunlight, 0.2), air, reach: 15 }
  }
  const snow = brief.weather === 'snow' ? mixRgb(hex('#eef2fa'), palette.skylight, 0.3) : undefined
  return { color: mixRgb(hex('#17322a'), palette.nearColor, shade), snow, air, reach: 15 }
}
