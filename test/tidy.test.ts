/** The rules of the house, as a test: who may import whom, and what a file may look like. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const rooms = ['core', 'edge', 'services', 'cli', 'test'];

/** Files under version control or about to be, without what is generated. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(file) && !file.startsWith('proto/gen/'));

const sources = files.filter((file) => file.endsWith('.ts') && rooms.includes(first(file)));
const read = (file: string): string => readFileSync(file, 'utf8');

function first(file: string): string {
  return file.split('/')[0] ?? '';
}

const isTest = (file: string): boolean => file.startsWith('test/');
const isMain = (file: string): boolean => file.endsWith('/main.ts');
const isPure = (file: string): boolean => /^(core|services)\//.test(file) && !isMain(file);
/** The files of a room that drive doors given to them: they may wait, but not open a door. */
const isShell = (file: string): boolean => isMain(file) || file.endsWith('/doors.ts');

/**
 * Who may import whom: files like the first may import only what is like the second; the first row
 * that fits holds. SELF is the importer's own room; packages are `package:name`, Node's modules
 * `node:name`.
 */
const mayImport: readonly (readonly [who: RegExp, whom: RegExp])[] = [
  [/^core\//, /^core\//],
  [/^edge\//, /^((core|edge)\/|proto\/gen\/|package:|node:)/],
  [/^services\/[\w-]+\/main\.ts$/, /^((core|edge|services\/SELF)\/|node:)/],
  [/^services\//, /^(core|services\/SELF)\//],
  [/^cli\//, /^((core|edge|cli)\/|services\/[\w-]+\/(?!main\.ts)|package:|node:)/],
  [/^test\//, /./],
];

/** Words that reach for the world; only `edge/`, a `main.ts`, `cli/` and tests may say them. */
const worldly = new RegExp(
  '\\b(Date\\.now|new Date\\(\\)|performance\\.|Math\\.random|crypto\\.|process\\.|console\\.|' +
    'set(Timeout|Interval|Immediate)|queueMicrotask|fetch\\()',
);

/** Each line here is an exception to a rule, with its reason. */
const mayCatch: Readonly<Record<string, string>> = {
  'core/json.ts': 'JSON.parse has no other way to say that a text is not JSON',
};

const vague = /(^|[/-])(utils?|common|helpers?|managers?|handlers?|misc|index)\.ts$/;
const vagueFolder = /(^|\/)(utils?|common|helpers?|managers?|handlers?|misc)\//;

/** Paths of somebody's machine. The lines are in pieces, so that this file keeps the rule. */
const machinePath = new RegExp(`(^|[\\s'"\`(=:,])/(${'work|home|root|Users|mnt'})/[\\w.]`);

/** Where packages come from is a matter of each machine's own configuration. */
const registry = new RegExp(
  `${'arti'}factory|${'GO'}PROXY=|regis${'try'}=|index-${'url'}|npm\\.pkg\\.|pypi\\.(?!org)`,
  'i',
);

/** Source without comments, with as many lines; strings stay. */
function code(text: string): string {
  const blank = (comment: string): string => comment.replace(/[^\n]/g, '');
  return text.replace(/\/\*[\s\S]*?\*\//g, blank).replace(/(^|\s)\/\/.*$/gm, '$1');
}

/** What a file imports: paths from the root, `package:name` or `node:name`. */
function importsOf(file: string, text: string): string[] {
  const found = code(text).matchAll(/(?:^|\s)(?:from|import|import\()\s*['"]([^'"\n]+)['"]/g);
  return [...found].map(([, target = '']) => {
    if (target.startsWith('.')) return normalize(join(dirname(file), target));
    if (target.startsWith('node:')) return target;
    return `package:${/^(@[^/]+\/)?[^/]+/.exec(target)?.[0]}`;
  });
}

function importProblems(file: string, text: string): string[] {
  const whom = mayImport.find(([who]) => who.test(file))?.[1] ?? /$./;
  const self = file.split('/')[1] ?? '';
  const allowed = new RegExp(whom.source.replaceAll('SELF', self));
  const wrong = importsOf(file, text).filter((target) => !allowed.test(target));
  return wrong.map((target) => `may not import ${target}`);
}

/** What lines there are with a rule broken, as `12: complaint`. */
function lines(text: string, broken: RegExp, complaint: string): string[] {
  return text
    .split('\n')
    .flatMap((line, index) => (broken.test(line) ? [`${index + 1}: ${complaint}`] : []));
}

function wordProblems(file: string, text: string): string[] {
  const problems = lines(text, /.{101}/u, 'is wider than 100 columns');
  const unfinished = new RegExp(`\\b(${'TO'}DO|${'FIX'}ME|${'X'}XX)\\b`);
  problems.push(...lines(text, unfinished, 'is unfinished: finish it, or open an issue'));
  if (!isPure(file)) return problems;
  const bare = code(text);
  problems.push(...lines(bare, worldly, 'reaches for the world'));
  if (!(file in mayCatch)) {
    problems.push(...lines(bare, /(\}|\.)\s*catch\b/, 'catches: failures end at the edge'));
  }
  if (!isShell(file)) problems.push(...lines(bare, /\bawait\b/, 'waits: deciding is pure'));
  return problems;
}

/**
 * The length of each function, by indentation as the formatter leaves it: from the line that opens
 * it to the line that closes it with the same indent.
 */
function functionsOf(text: string): { line: number; length: number }[] {
  const all = code(text).split('\n');
  const indent = (line: string): number => line.search(/\S/);
  const keyword = /^\s*(\} )?(if|for|while|switch|catch|else|do|try|return [^=]*$)\b/;
  const heads = /(=>|\)|\)(: .+)) \{$|\bfunction\b.*\{$/;
  return all.flatMap((line, start) => {
    if (!heads.test(line) || keyword.test(line)) return [];
    const end = all.findIndex(
      (l, at) => at > start && /^\s*\}/.test(l) && indent(l) === indent(line),
    );
    // Parameters on lines of their own: the function began where their parenthesis was opened.
    const begun = /^\s*\)/.test(line)
      ? all.findLastIndex((l, at) => at < start && l !== '' && indent(l) === indent(line))
      : start;
    if (end < 0 || keyword.test(all[begun] ?? '')) return [];
    return [{ line: begun + 1, length: end - begun + 1 }];
  });
}

function sizeProblems(file: string, text: string): string[] {
  const limit = isTest(file) ? 400 : 150;
  const size = text.trimEnd().split('\n').length;
  const problems = size > limit ? [`has ${size} lines, more than ${limit}`] : [];
  if (isTest(file)) return problems;
  const long = functionsOf(text).filter(({ length }) => length > 40);
  return [...problems, ...long.map((f) => `${f.line}: a function of ${f.length} lines, not 40`)];
}

function headProblems(file: string, text: string): string[] {
  const problems: string[] = [];
  const head = /^(#!.*\n)?\/\*\*([\s\S]*?)\*\//.exec(text)?.[2]?.trim() ?? '';
  if (!/^\S[\s\S]*[.?!]$/.test(head)) problems.push('does not begin with a /** sentence. */');
  if (vague.test(file) || vagueFolder.test(file)) problems.push('has a name that says nothing');
  return problems;
}

/** All that is wrong with one source file, a line each. */
function problemsOf(file: string, text: string): string[] {
  const rules = [headProblems, sizeProblems, wordProblems, importProblems];
  return rules.flatMap((rule) => rule(file, text));
}

/** What no tracked file may say, whatever its kind. */
function leaksOf(text: string): string[] {
  return [
    ...lines(text, machinePath, 'names a path of somebody\u2019s machine'),
    ...lines(text, registry, 'names a registry'),
  ];
}

/** A document has one title, outside of its code blocks. */
function titlesOf(text: string): string[] {
  const prose = text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '');
  return prose.split('\n').filter((line) => /^# \S/.test(line));
}

/** Packages that are imported by several files of the project (tests apart), with these. */
function sharedDoors(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const doors = new Map<string, string[]>();
  for (const [file, targets] of imports) {
    if (isTest(file)) continue;
    for (const target of new Set(targets.filter((t) => t.startsWith('package:')))) {
      doors.set(target, [...(doors.get(target) ?? []), file]);
    }
  }
  const shared = [...doors].filter(([, through]) => through.length > 1);
  return shared.map(([name, through]) => `${name} is imported by ${through.join(' and ')}`);
}

/** Files that are neither imported nor started; a test alone keeps nothing alive. */
function deadFiles(imports: ReadonlyMap<string, readonly string[]>, started: string): string[] {
  const wanted = new Set([...imports].flatMap(([file, to]) => (isTest(file) ? [] : to)));
  const all = [...imports.keys()].filter((file) => !isTest(file) && !isMain(file));
  return all.filter((file) => !wanted.has(file) && !started.includes(file));
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly scripts?: unknown;
  readonly bin?: unknown;
}

const looseVersions = ({ dependencies, devDependencies }: Manifest): string[] =>
  Object.entries({ ...dependencies, ...devDependencies })
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    .map(([name, version]) => `${name} ${version} is not one version`);

describe('tidy', () => {
  const imports = new Map(sources.map((file) => [file, importsOf(file, read(file))]));
  const manifest = JSON.parse(read('package.json')) as Manifest;

  for (const file of sources) {
    it(`${file} keeps the rules of the house`, () => {
      assert.deepEqual(problemsOf(file, read(file)), []);
    });
  }

  it('finds the files of the project at all', () => {
    assert.ok(sources.includes('core/event.ts') && sources.includes('test/tidy.test.ts'));
  });

  it('each package has one door', () => {
    assert.deepEqual(sharedDoors(imports), []);
  });

  it('no file is dead', () => {
    const makefile = files.includes('Makefile') ? read('Makefile') : '';
    const started = JSON.stringify([manifest.scripts, manifest.bin]) + makefile;
    assert.deepEqual(deadFiles(imports, started), []);
  });

  it('every import leads to a file', () => {
    // Tests are left out: they may hold programs as text, whose paths begin elsewhere.
    const own = [...imports].filter(([file]) => !isTest(file));
    const paths = own.flatMap(([file, to]) => to.map((target) => `${file} -> ${target}`));
    const missing = paths.filter((path) => {
      const target = path.split(' -> ')[1] ?? '';
      return /^\w+\//.test(target) && !existsSync(target);
    });
    assert.deepEqual(missing, []);
  });

  it('packages are pinned to one version', () => {
    assert.deepEqual(looseVersions(manifest), []);
  });

  it('packages that are installed are imported', () => {
    const used = new Set([...imports].flatMap(([file, to]) => (isTest(file) ? [] : to)));
    if (existsSync('proto/gen/events.js')) {
      for (const to of importsOf('proto/gen/events.js', read('proto/gen/events.js'))) used.add(to);
    }
    const names = Object.keys(manifest.dependencies ?? {});
    assert.deepEqual(
      names.filter((name) => !used.has(`package:${name}`)),
      [],
    );
  });

  it('no file tells where it was made', () => {
    const texts = files.filter((file) => !/\.(png|svg|ico|binpb|tgz)$/.test(file));
    const leaks = texts.flatMap((file) => leaksOf(read(file)).map((leak) => `${file}:${leak}`));
    assert.deepEqual(leaks, []);
  });

  it('packages are locked to the public registry', () => {
    const hosts = read('package-lock.json').matchAll(/"resolved": "(\w+:\/\/[^/"]+)/g);
    const own = [...hosts].filter(([, host]) => host !== 'https://registry.npmjs.org');
    assert.equal(own.length, 0, `${own.length} packages are locked to another host`);
  });

  for (const file of files.filter((name) => name.endsWith('.md'))) {
    it(`${file} has one title`, () => {
      assert.equal(titlesOf(read(file)).length, 1);
    });
  }
});

describe('the rules of the house', () => {
  const head = '/** A sentence. */\n';
  const accept = (file: string, text: string): void =>
    assert.deepEqual(problemsOf(file, head + text), []);
  const refuse = (file: string, text: string, why: RegExp): void => {
    const problems = problemsOf(file, head + text);
    assert.equal(problems.length, 1, `${file}: ${problems.join('; ') || 'no complaint'}`);
    assert.match(problems[0] ?? '', why);
  };

  it('keep the layers apart', () => {
    const load = (path: string): string => `import { x } from '${path}';\n`;
    accept('core/a.ts', load('./b.ts'));
    refuse('core/a.ts', load('../edge/b.ts'), /may not import edge\/b\.ts/);
    refuse('core/a.ts', load('node:fs'), /may not import node:fs/);
    accept('edge/a.ts', load('zod') + load('../core/b.ts') + load('./c.ts'));
    refuse('edge/a.ts', load('../services/bgp/world.ts'), /may not import services/);
    accept('services/bgp/decide.ts', load('./world.ts') + load('../../core/fact.ts'));
    refuse('services/bgp/decide.ts', load('../assigner/world.ts'), /services\/assigner/);
    refuse('services/bgp/decide.ts', load('../../edge/nats.ts'), /may not import edge/);
    refuse('services/bgp/decide.ts', load('nats'), /may not import package:nats/);
    accept('services/bgp/main.ts', load('../../edge/nats.ts'));
    refuse('services/bgp/main.ts', load('@scope/name/deep'), /package:@scope\/name$/);
    accept('cli/plan.ts', load('../services/assigner/room.ts') + load('commander'));
    refuse('cli/plan.ts', load('../services/assigner/main.ts'), /assigner\/main/);
    refuse('core/a.ts', load('../edge/b.ts').replaceAll(' x ', '\n  x,\n'), /may not import/);
    refuse('core/a.ts', load('../edge/b.ts').replace('import', 'export'), /may not import/);
    refuse('core/a.ts', load('../edge/b.ts').replace('import', 'import type'), /may not import/);
    accept('core/a.ts', `// ${load('../edge/b.ts')}`);
  });

  it('keep the world out of the pure rooms', () => {
    refuse('core/a.ts', 'const now = Date.now();\n', /2: reaches for the world/);
    refuse('services/bgp/decide.ts', 'console.log(1);\n', /reaches for the world/);
    refuse('services/bgp/decide.ts', 'try {\n  x();\n} catch {\n}\n', /4: catches/);
    refuse('services/bgp/decide.ts', 'await x();\n', /waits/);
    accept('services/bgp/main.ts', 'await x();\nprocess.exit(1);\n');
    accept('edge/clock.ts', 'export const nowMs = Date.now;\n');
    accept('core/a.ts', '// Not Date.now(): time is an event.\n');
  });

  it('keep files and functions small', () => {
    const body = (count: number): string => '  x();\n'.repeat(count);
    accept('core/a.ts', `function f(): void {\n${body(38)}}\n`);
    refuse('core/a.ts', `function f(): void {\n${body(39)}}\n`, /2: a function of 41 lines/);
    refuse('core/a.ts', `const f = (\n  a: A,\n): B => {\n${body(39)}};\n`, /of 43 lines/);
    const method = `  f(): void {\n${body(39).replaceAll('  x', '    x')}  }\n`;
    refuse('core/a.ts', `class C {\n${method}}\n`, /3: a function of 41/);
    accept('core/a.ts', `const table = {\n${'  a: 1,\n'.repeat(60)}};\n`);
    refuse('core/a.ts', 'x();\n'.repeat(150), /has 151 lines/);
    accept('test/a.test.ts', 'x();\n'.repeat(150));
    refuse('core/a.ts', `x('${'y'.repeat(96)}');\n`, /wider than 100/);
  });

  it('want a sentence first, and names that say something', () => {
    assert.deepEqual(problemsOf('core/a.ts', "import './b.ts';\n"), [
      'does not begin with a /** sentence. */',
    ]);
    assert.equal(problemsOf('core/a.ts', '/** no sentence */\n').length, 1);
    for (const name of [
      'core/utils.ts',
      'core/index.ts',
      'edge/nats-helper.ts',
      'core/common/a.ts',
    ]) {
      refuse(name, '', /name that says nothing/);
    }
    refuse('core/a.ts', `// ${'TO'}DO: later\n`, /unfinished/);
  });

  it('keep a package behind one door, and bury the dead', () => {
    const imports = new Map([
      ['edge/a.ts', ['package:nats']],
      ['edge/b.ts', ['package:nats', 'edge/a.ts']],
      ['services/x/main.ts', ['edge/b.ts']],
      ['core/lonely.ts', []],
      ['test/a.test.ts', ['package:nats', 'core/lonely.ts']],
    ]);
    assert.deepEqual(sharedDoors(imports), ['package:nats is imported by edge/a.ts and edge/b.ts']);
    assert.deepEqual(deadFiles(imports, ''), ['core/lonely.ts']);
    assert.deepEqual(deadFiles(imports, 'node core/lonely.ts'), []);
  });

  it('see loose versions, leaks and second titles', () => {
    const loose = { dependencies: { a: '^1.2.3', b: '1.2.3' }, devDependencies: { c: 'latest' } };
    assert.equal(looseVersions(loose).length, 2);
    assert.equal(leaksOf(`see ${'/ho'}me/me/x and\n/etc/hosts, or https://x/home/page`).length, 1);
    assert.equal(leaksOf(`npm config set regis${'try'}=http://mirror`).length, 1);
    assert.deepEqual(titlesOf('# A\n```sh\n# no title\n```\n## B\n# C\n'), ['# A', '# C']);
  });
});
