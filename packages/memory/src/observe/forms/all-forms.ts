import { ofComponents } from './component-forms.ts';
import { ofDisuse } from './disuse-forms.ts';
import type { Form } from './form.ts';
import { ofHabits } from './habit-forms.ts';
import { ofOrders } from './order-forms.ts';
import { ofPaths } from './path-forms.ts';
import { ofPeople } from './people-forms.ts';
import { ofProject } from './project-forms.ts';
import { ofRules } from './rule-forms.ts';
import { ofStyle } from './style-forms.ts';
import { ofUser } from './user-forms.ts';

/** All forms; the first that fits reads. */
export const forms: readonly Form[] = [
  ...ofPeople,
  ...ofUser,
  ...ofProject,
  ...ofDisuse,
  ...ofComponents,
  ...ofPaths,
  ...ofRules,
  ...ofHabits,
  ...ofOrders,
  ...ofStyle,
];
