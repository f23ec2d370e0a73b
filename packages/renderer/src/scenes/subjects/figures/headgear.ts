import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, hex, scaleRgb, type Rgb } from '../../../picture/color.ts'
import { blend, fillCorners, fillCurve, fillEllipse, fillRibbon } from '../brush.ts'
import type { SubjectKind } from '../../prompt/subject-words.ts'

const steel = hex('#b9c2cc')
const gold = hex('#e2b440')

/**
 * Headgear of each trade, over a profile whose middle is at 0, 0. `color` is the color of the
 * garment.
 */
export const headgears: Partial<Record<SubjectKind, (context: SKRSContext2D, color: Rgb) => void>> = {
  knight: drawHelm,
  chef: drawToque,
  firefighter: drawFireHelmet,
  wizard: drawPointedHat,
  samurai: drawKabuto,
  cowboy: drawCowboyHat,
  king: drawCrown,
  queen: drawCrown,
}

/** A closed helm with a slit, and a plume that trails behind. */
function drawHelm(context: SKRSContext2D): void {
  context.fillStyle = '#c23a2c'
  fillRibbon(context, [
    { x: 0.0, y: -0.11, r: 0.022 },
    { x: -0.06, y: -0.14, r: 0.034 },
    { x: -0.13, y: -0.09, r: 0.03 },
    { x: -0.16, y: -0.01, r: 0.01 },
  ])
  context.fillStyle = blend(context, [-0.08, -0.1], [0.1, 0.1], [hex('#e8edf2'), steel, hex('#6c7683')])
  fillCurve(context, [
    [-0.085, 0.0],
    [-0.07, -0.085],
    [0.0, -0.12],
    [0.07, -0.085],
    [0.095, -0.01],
    [0.085, 0.05],
    [0.04, 0.1],
    [-0.05, 0.1],
    [-0.085, 0.06],
  ])
  context.fillStyle = '#1c1f26'
  fillCorners(context, [
    [0.0, -0.026],
    [0.088, -0.02],
    [0.088, -0.002],
    [0.0, -0.004],
  ])
  for (const x of [0.03, 0.05, 0.07]) fillEllipse(context, x, 0.04, 0.005, 0.008)
}

function drawToque(context: SKRSContext2D): void {
  context.fillStyle = '#dcd8d0'
  for (const x of [-0.055, 0.0, 0.055]) fillEllipse(context, x - 0.005, -0.165, 0.048, 0.05)
  context.fillStyle = '#f8f6f1'
  for (const x of [-0.03, 0.03]) fillEllipse(context, x - 0.005, -0.17, 0.05, 0.052)
  fillCorners(context, [
    [-0.082, -0.15],
    [0.068, -0.155],
    [0.066, -0.055],
    [-0.076, -0.042],
  ])
  context.strokeStyle = '#c9c4ba'
  context.lineWidth = 0.005
  for (const x of [-0.045, -0.005, 0.035]) {
    context.beginPath()
    context.moveTo(x, -0.15)
    context.lineTo(x, -0.06)
    context.stroke()
  }
}

function drawFireHelmet(context: SKRSContext2D): void {
  context.fillStyle = '#c8301f'
  fillCurve(context, [
    [0.075, -0.04],
    [0.06, -0.1],
    [0.0, -0.135],
    [-0.06, -0.105],
    [-0.08, -0.03],
    [0.0, -0.035],
  ])
  fillRibbon(context, [
    { x: 0.115, y: -0.032, r: 0.01 },
    { x: 0.0, y: -0.042, r: 0.014 },
    { x: -0.09, y: -0.02, r: 0.016 },
    { x: -0.13, y: 0.03, r: 0.012 },
  ])
  context.fillStyle = css(gold)
  fillCurve(context, [
    [0.05, -0.055],
    [0.045, -0.1],
    [0.07, -0.115],
    [0.085, -0.06],
  ])
}

function drawPointedHat(context: SKRSContext2D, color: Rgb): void {
  context.fillStyle = '#e9e6e0'
  // The beard.
  fillCurve(context, [
    [0.07, 0.02],
    [0.075, 0.08],
    [0.05, 0.2],
    [0.01, 0.13],
    [-0.01, 0.05],
    [0.03, 0.03],
  ])
  context.fillStyle = css(scaleRgb(color, 0.82))
  fillCurve(context, [
    [0.075, -0.05],
    [0.045, -0.15],
    [-0.015, -0.25],
    [-0.085, -0.285],
    [-0.06, -0.2],
    [-0.085, -0.04],
  ])
  fillRibbon(context, [
    { x: 0.14, y: -0.025, r: 0.008 },
    { x: 0.0, y: -0.052, r: 0.018 },
    { x: -0.15, y: -0.01, r: 0.009 },
  ])
  context.strokeStyle = css(gold)
  context.lineWidth = 0.014
  context.beginPath()
  context.moveTo(0.066, -0.075)
  context.quadraticCurveTo(0, -0.092, -0.078, -0.068)
  context.stroke()
}

/** A bowl with a neck guard and gilded horns. */
function drawKabuto(context: SKRSContext2D, color: Rgb): void {
  context.fillStyle = css(scaleRgb(color, 0.8))
  fillCorners(context, [
    [-0.03, -0.05],
    [-0.085, -0.05],
    [-0.13, 0.06],
    [-0.04, 0.075],
  ])
  context.fillStyle = '#23222b'
  fillCurve(context, [
    [0.075, -0.03],
    [0.065, -0.1],
    [0.0, -0.135],
    [-0.07, -0.105],
    [-0.085, -0.025],
    [0.0, -0.04],
  ])
  fillRibbon(context, [
    { x: 0.105, y: -0.03, r: 0.008 },
    { x: 0.0, y: -0.045, r: 0.014 },
    { x: -0.09, y: -0.03, r: 0.014 },
  ])
  context.fillStyle = css(gold)
  for (const side of [1, -1])
    fillRibbon(context, [
      { x: 0.06, y: -0.075, r: 0.012 },
      { x: 0.06 + side * 0.045, y: -0.13, r: 0.012 },
      { x: 0.06 + side * 0.04, y: -0.21, r: 0.004 },
    ])
}

function drawCowboyHat(context: SKRSContext2D): void {
  const felt = hex('#8a5c34')
  context.fillStyle = css(felt)
  fillCurve(context, [
    [0.07, -0.05],
    [0.062, -0.13],
    [0.02, -0.145],
    [-0.01, -0.132],
    [-0.045, -0.148],
    [-0.075, -0.12],
    [-0.08, -0.04],
  ])
  fillRibbon(context, [
    { x: 0.16, y: -0.06, r: 0.008 },
    { x: 0.08, y: -0.04, r: 0.014 },
    { x: 0.0, y: -0.042, r: 0.016 },
    { x: -0.09, y: -0.034, r: 0.014 },
    { x: -0.16, y: -0.06, r: 0.008 },
  ])
  context.strokeStyle = css(scaleRgb(felt, 0.45))
  context.lineWidth = 0.016
  context.beginPath()
  context.moveTo(0.066, -0.07)
  context.quadraticCurveTo(0, -0.082, -0.076, -0.066)
  context.stroke()
}

function drawCrown(context: SKRSContext2D): void {
  context.fillStyle = blend(context, [-0.08, -0.1], [0.08, -0.06], [hex('#b07f1e'), hex('#ffe08a'), gold])
  fillCorners(context, [
    [-0.08, -0.055],
    [-0.095, -0.15],
    [-0.05, -0.105],
    [-0.03, -0.17],
    [-0.005, -0.11],
    [0.03, -0.165],
    [0.045, -0.105],
    [0.085, -0.14],
    [0.066, -0.055],
  ])
  context.fillStyle = '#b8263a'
  for (const x of [-0.045, 0.0, 0.042]) fillEllipse(context, x, -0.076, 0.01)
}
