import fc from 'fast-check';
import { expect, test } from 'vitest';
import { calibratedCounter, createCalibration, defaultCalibrationPolicy } from './calibration.ts';

const anyNumber = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(0, -1, Number.NaN, Infinity));

test('the factor stays within its bounds and its step, whatever is reported', () => {
  const { minFactor, maxFactor, maxStep } = defaultCalibrationPolicy;
  fc.assert(
    fc.property(fc.array(fc.tuple(anyNumber, anyNumber), { maxLength: 50 }), (reports) => {
      const calibration = createCalibration();
      for (const [estimated, reported] of reports) {
        const before = calibration.factor();
        calibration.observe(estimated, reported);
        expect(calibration.factor()).toBeGreaterThanOrEqual(minFactor);
        expect(calibration.factor()).toBeLessThanOrEqual(maxFactor);
        expect(Math.abs(calibration.factor() - before)).toBeLessThanOrEqual(maxStep + 1e-9);
      }
    }),
  );
});

test('it settles at a steady ratio within the bounds', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.5, max: 2, noNaN: true }), (ratio) => {
      const calibration = createCalibration();
      for (let request = 0; request < 60; request += 1) calibration.observe(10_000, 10_000 * ratio);
      expect(calibration.factor()).toBeCloseTo(ratio, 4);
    }),
  );
});

test('it moves towards the ratio and never past it', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.5, max: 2, noNaN: true }),
      fc.double({ min: 0.5, max: 2, noNaN: true }),
      (startFactor, ratio) => {
        const calibration = createCalibration({ startFactor });
        calibration.observe(1000, 1000 * ratio);
        const gap = Math.abs(calibration.factor() - ratio);
        expect(gap).toBeLessThanOrEqual(Math.abs(startFactor - ratio) + 1e-9);
      },
    ),
  );
});

test('one odd report moves it by no more than a step', () => {
  const calibration = createCalibration();
  calibration.observe(1000, 1_000_000);
  expect(calibration.factor()).toBeCloseTo(1.15);
  expect(calibration.observations()).toBe(1);
  expect(calibration.apply(1000)).toBe(1150);
});

test('reports that are no positive numbers are ignored', () => {
  const calibration = createCalibration({ startFactor: 1.3 });
  calibration.observe(0, 100);
  calibration.observe(100, 0);
  calibration.observe(Number.NaN, 100);
  calibration.observe(100, Number.POSITIVE_INFINITY);
  expect(calibration.factor()).toBe(1.3);
  expect(calibration.observations()).toBe(0);
});

test.each([{ weight: 0 }, { weight: 2 }, { minFactor: 3 }, { maxStep: Number.NaN }])(
  'a policy of %o is refused',
  (policy) => {
    expect(() => createCalibration(policy)).toThrow(
      expect.objectContaining({ code: 'CTX_INVALID_INPUT' }),
    );
  },
);

test('a calibrated counter multiplies, keeps 0 for nothing and 1 for something', () => {
  const half = calibratedCounter((text) => text.length, 0.1);
  expect(half('')).toBe(0);
  expect(half('a')).toBe(1);
  expect(half('a'.repeat(100))).toBe(10);
  expect(() => calibratedCounter((text) => text.length, 0)).toThrow(
    expect.objectContaining({ code: 'CTX_INVALID_INPUT' }),
  );
});
