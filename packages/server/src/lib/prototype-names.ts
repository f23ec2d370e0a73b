/**
 * Whether every object has a property of this name, such as `constructor` or `toString`, or an
 * assignment to it could reach a prototype. Names from outside must not be among these.
 */
export function isPrototypeName(name: string): boolean {
  return name === 'prototype' || name in Object.prototype
}
