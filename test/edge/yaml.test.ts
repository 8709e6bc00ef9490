/** YAML as people write it: what is wrong is told with its line and column. */
import assert from 'node:assert/strict';
import { parseYaml, parseYamlDocuments, stringifyYaml, YamlError } from '../../edge/yaml.ts';

describe('a YAML file', () => {
  it('is read document by document, the empty ones left out', () => {
    const documents = parseYamlDocuments('---\na: 1\n---\n# nothing\n---\nb: [2, x]\n');
    assert.deepEqual(
      documents.map((d) => d.value),
      [{ a: 1 }, { b: [2, 'x'] }],
    );
  });

  it('knows where each value stands, counted from the top of the file', () => {
    const [, second] = parseYamlDocuments('a: 1\n---\nspec:\n  egressIPs:\n    - 10.0.1.10\n');
    assert.deepEqual(second?.positionOf(['spec', 'egressIPs', 0]), { line: 5, column: 7 });
  });

  it('answers with the nearest place for a value that is not there', () => {
    const [only] = parseYamlDocuments('spec:\n  egressIPs: []\n');
    assert.deepEqual(only?.positionOf(['spec', 'podSelector']), { line: 2, column: 3 });
  });

  it('may not say one thing twice', () => {
    const twice = () => parseYamlDocuments('a: 1\nb: 2\na: 3\n');
    assert.throws(twice, (error) => error instanceof YamlError && error.position.line === 3);
  });

  it('tells the line of what it cannot read', () => {
    const broken = () => parseYaml('a: 1\nb: [1, 2\n');
    assert.throws(broken, (error) => error instanceof YamlError && error.position.line >= 2);
  });

  it('may be empty', () => {
    assert.equal(parseYaml(''), undefined);
    assert.deepEqual(parseYamlDocuments('# only a comment\n'), []);
  });

  it('comes back as it was written', () => {
    const value = { kind: 'EgressIP', on: 'yes', ip: '10.0.1.10', long: 'x '.repeat(100), n: null };
    assert.deepEqual(parseYaml(stringifyYaml(value)), value);
  });
});
