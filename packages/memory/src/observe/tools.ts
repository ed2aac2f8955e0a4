/** Choices of which a project makes one at each place. */
export const choices: Readonly<Record<string, RegExp>> = {
  'package manager': /\b(?:npm|pnpm|yarn|bun|pip|poetry|uv|conda)\b/gi,
  indentation: /\b(?:tabs|(?:two|four|2|4|8)?[- ]?spaces)\b/gi,
  quotes: /\b(?:single|double) quotes\b/gi,
  'test runner': /\b(?:jest|vitest|mocha|jasmine|pytest|unittest)\b/gi,
  database: /\b(?:postgres(?:ql)?|mysql|mariadb|sqlite|mongodb|dynamodb)\b/gi,
  theme: /\b(?:dark|light) (?:mode|theme)\b/gi,
};

/** What people use, by names that could be those of places. */
const tools =
  /^(?:vim|neovim|emacs|helix|zed|vs ?code|sublime|webstorm|intellij|cursor|bash|zsh|fish|powershell|linux|windows|mac(?:os)?|ubuntu|debian|fedora|arch|nixos|android|ios|typescript|javascript|python|rust|go|golang|java|kotlin|swift|ruby|elixir|php|scala|node(?:\.js)?|deno|react|vue|svelte|angular|next(?:\.js)?|django|rails|laravel|spring|docker|podman|kubernetes|terraform|aws|azure|gcp|heroku|vercel|netlify|fly|cloudflare|github|gitlab|bitbucket|jenkins|circleci|jira|linear|trello|asana|confluence|slack|teams|discord|notion|figma|sentry|datadog|redis|valkey|kafka|rabbitmq|memcached|elasticsearch|oracle|firebase|supabase|graphql|grpc|rest|webpack|vite|rollup|esbuild|turbo|turborepo|nx|eslint|biome|prettier|claude|chatgpt|codex|copilot|gemini|opus|sonnet|haiku|gmail|outlook|chrome|firefox|safari)\b/i;

/** Where projects run. */
const hosts =
  /^(?:heroku|fly(?:\.io)?|vercel|netlify|render(?:\.com)?|railway|aws|azure|gcp|google cloud|digital ?ocean|hetzner|linode|ovh|scaleway|cloudflare(?: (?:pages|workers))?|kubernetes|ecs|eks|gke|lambda|cloud run|firebase|supabase)(?![\w-])(?! (?:to|for|as)\b)/i;

/** Whether words begin with a place where projects run. */
export const isHost = (words: string): boolean => hosts.test(words);

/** Parts of a plan that people write with a capital, as if they were names. */
const partsOfWork = /^(?:plan|part|step|phase|option|version|stage|task|issue|chapter)\b/i;

/** Whether words begin with a part of a plan, such as `Step 2`. */
export const isPartOfWork = (words: string): boolean => partsOfWork.test(words);

/** Whether words begin with what is used, not with a place. */
export function isTool(words: string): boolean {
  const isChoice = Object.values(choices).some((pattern) => words.search(pattern) === 0);
  return isChoice || tools.test(words);
}

/** Tools of which a person has one for each purpose. */
const personalKinds: Readonly<Record<string, RegExp>> = {
  editor:
    /^(?:neo)?vim\b|^(?:nvim|emacs|helix|zed|vs ?code|visual studio code|sublime(?: text)?|webstorm|intellij(?: idea)?|pycharm|cursor|nano|kakoune|xcode|android studio)\b/i,
  shell: /^(?:bash|zsh|fish|powershell|nushell)\b/i,
  'operating system':
    /^(?:(?:ubuntu|debian|fedora|arch)(?: linux)?|linux|windows|mac ?os|nixos|freebsd)(?: \d[\d.]*)?\b/i,
  browser: /^(?:chrome|chromium|firefox|safari|edge|brave|vivaldi)\b/i,
};

/** The kind of tool that words begin with, such as `editor`, and its name. */
export function toolKindOf(words: string): readonly [kind: string, name: string] | undefined {
  for (const [kind, pattern] of Object.entries(personalKinds)) {
    const [name] = pattern.exec(words) ?? [];
    if (name !== undefined) return [kind, name];
  }
  return undefined;
}

/** The choice that a word makes, such as `package manager` for `pnpm`. */
export function choiceOf(word: string): string | undefined {
  return Object.entries(choices).find(([, pattern]) => word.search(pattern) === 0)?.[0];
}

/** Whether words name what a project can stop using: a known tool, no matter of taste such as tabs. */
export const canBeLeft = (words: string): boolean =>
  isTool(words) && !/^(?:indentation|quotes|theme)$/.test(choiceOf(words) ?? '');
