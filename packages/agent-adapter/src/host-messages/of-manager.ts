import type { ContextManager } from '../context-manager/context-manager.ts';

/** Something that each manager has one of, made when it is first asked for and kept as long as the manager. */
export function ofManager<Value>(make: () => Value): (manager: ContextManager) => Value {
  const values = new WeakMap<ContextManager, Value>();
  return (manager) => {
    const known = values.get(manager) ?? make();
    values.set(manager, known);
    return known;
  };
}
