// Light on terrain, one row of the height field at a time: the ground of all rays at one distance.
// All arithmetic is in f64. Between the two kernels, the host sets the material of the row's points.
import { exp } from './exponential.as'

/** Arguments of the kernels. The host writes them into memory. */
@unmanaged
export class GroundLight {
  lightX: f64 // direction of the light
  lightY: f64
  lightZ: f64
  tangent: f64 // tangent of the sun's angle above the ground
  relief: f64 // factor for slopes
  shadows: f64 // share of the sunlight that a shadow blocks
  sunRed: f64 // sunlight and skylight from 0 to 1
  sunGreen: f64
  sunBlue: f64
  skyRed: f64
  skyGreen: f64
  skyBlue: f64
  fogStrength: f64 // 0 without fog
  fogFrom: f64 // height at which fog is full
  fogTo: f64 // height at which fog ends
  fogRed: f64
  fogGreen: f64
  fogBlue: f64
  rays: i32
  isSunRight: i32
  levels: usize // f64 of each point of the row: 1 for level ground, 0 for upright ground
  sunShares: usize // f64 of each point of the row: share of the full sunlight
  tones: usize // f64 red, green and blue of each point of the row: its color
  shines: usize // f64 red, green and blue of each point of the row: the light that it emits
  hazes: usize // f32 red, green and blue of each ray
  colors: usize // result: red, green and blue bytes of each point of the row
}

@inline
function clamp(value: f64): f64 {
  return value < 0 ? 0 : value > 1 ? 1 : value
}

@inline
function smoothstep(from: f64, to: f64, value: f64): f64 {
  const t = clamp((value - from) / (to - from))
  return t * t * (3 - 2 * t)
}

@inline
function heightAt(row: usize, ray: i32): f64 {
  return <f64>load<f32>(row + (ray << 2))
}

/**
 * Computes `levels` and `sunShares` of a row at the distance `z`. `before` and `behind` are the
 * heights of the nearer and the farther row, which are `length` apart. `spacing` is the distance
 * between the two neighbors of a ray.
 */
export function shadeGroundRow(light: GroundLight, row: usize, before: usize, behind: usize, z: f64, spacing: f64, length: f64): void {
  const rays = light.rays, isSunRight = light.isSunRight, levels = light.levels, sunShares = light.sunShares
  const lightX = light.lightX, lightY = light.lightY, lightZ = light.lightZ, relief = light.relief, shadows = light.shadows
  const fall = spacing * 0.5 * light.tangent, shadowFrom = 0.004 * z, shadowTo = 0.03 * z
  let shadow: f64 = -1e9
  for (let position = 0; position < rays; position++) {
    // Rays are processed from the side of the sun, so that the ground that blocks the sun is already
    // known.
    const ray = isSunRight ? rays - 1 - position : position
    const height = heightAt(row, ray)
    const slopeX = ((heightAt(row, min(ray + 1, rays - 1)) - heightAt(row, max(ray - 1, 0))) / spacing) * relief
    const slopeZ = ((heightAt(behind, ray) - heightAt(before, ray)) / length) * relief
    const level = 1 / sqrt<f64>(1 + slopeX * slopeX + slopeZ * slopeZ)
    shadow = max<f64>(shadow - fall, height)
    const shaded = shadows * smoothstep(shadowFrom, shadowTo, shadow - height)
    const facing = clamp((-slopeX * lightX + lightY - slopeZ * lightZ) * level)
    store<f64>(levels + (ray << 3), level)
    store<f64>(sunShares + (ray << 3), facing * (1 - shaded))
  }
}

/** Rolls off bright light instead of clipping it. */
@inline
function rollOff(value: f64): f64 {
  return value < 0 ? 0 : value < 186 ? value : 186 + (252 - 186) * (1 - exp((186 - value) / 78))
}

@inline
function lit(tone: f64, shine: f64, sun: f64, sky: f64, sunShare: f64, skyShare: f64, haze: f64, hazeShare: f64, fog: f64, fogShare: f64): u8 {
  let value = tone * (sun * sunShare * 1.05 + sky * skyShare) + shine
  value += (haze - value) * hazeShare
  if (fogShare > 0) value += (fog - value) * min<f64>(1, fogShare)
  return <u8><i32>rollOff(value)
}

/**
 * Computes `colors` of a row from the other arrays and its heights. `hazeShare` is the share of the
 * haze in a color at this distance. `fogNearness` is a factor for the fog.
 */
export function colorGroundRow(light: GroundLight, row: usize, hazeShare: f64, fogNearness: f64): void {
  const rays = light.rays, levels = light.levels, sunShares = light.sunShares
  const sunRed = light.sunRed, sunGreen = light.sunGreen, sunBlue = light.sunBlue
  const skyRed = light.skyRed, skyGreen = light.skyGreen, skyBlue = light.skyBlue
  const fogRed = light.fogRed, fogGreen = light.fogGreen, fogBlue = light.fogBlue
  const fogStrength = light.fogStrength, fogFrom = light.fogFrom, fogTo = light.fogTo
  let tones = light.tones, shines = light.shines, hazes = light.hazes, colors = light.colors
  for (let ray = 0; ray < rays; ray++) {
    const sunShare = load<f64>(sunShares + (ray << 3)), skyShare = 0.34 + 0.3 * load<f64>(levels + (ray << 3))
    const fogShare: f64 = fogStrength > 0 ? fogStrength * (1 - smoothstep(fogFrom, fogTo, heightAt(row, ray))) * fogNearness : 0
    store<u8>(colors, lit(load<f64>(tones), load<f64>(shines), sunRed, skyRed, sunShare, skyShare, <f64>load<f32>(hazes), hazeShare, fogRed, fogShare))
    store<u8>(colors, lit(load<f64>(tones, 8), load<f64>(shines, 8), sunGreen, skyGreen, sunShare, skyShare, <f64>load<f32>(hazes, 4), hazeShare, fogGreen, fogShare), 1)
    store<u8>(colors, lit(load<f64>(tones, 16), load<f64>(shines, 16), sunBlue, skyBlue, sunShare, skyShare, <f64>load<f32>(hazes, 8), hazeShare, fogBlue, fogShare), 2)
    tones += 24
    shines += 24
    hazes += 12
    colors += 3
  }
}
