/** V8's `Math.exp`, because other implementations may round differently. The host passes it. */
// @ts-ignore: decorator
@external('env', 'exp')
export declare function exp(value: f64): f64
