import { describeManyFacts } from './many-facts.ts';

describeManyFacts('memory');
describeManyFacts('sqlite');
