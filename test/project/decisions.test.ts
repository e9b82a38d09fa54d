import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';

const folder = join(import.meta.dirname, '../../docs/decisions');
const pages = globSync('[0-9]*.md', { cwd: folder }).sort();

test('every decision has a number of its own, a title, a status and a date', () => {
  for (const page of pages) read(page);
  const numbers = pages.map((page) => read(page).number);
  assert.equal(new Set(numbers).size, numbers.length, `a number is used twice: ${numbers}`);
});

test('the index of decisions lists every page as it is', () => {
  const index = readFileSync(join(folder, 'README.md'), 'utf8');
  const rows = index.split('\n').filter((line) => /^\| \[/.test(line));
  assert.deepEqual(rows, pages.map(rowOf), 'docs/decisions/README.md is not what the pages say');
});

test('a superseded decision names one that exists', () => {
  const numbers = pages.map((page) => read(page).number);
  for (const page of pages) {
    const later = /^superseded by (\d+)$/.exec(read(page).status)?.[1];
    if (later) assert.ok(numbers.includes(Number(later)), `${page} is superseded by ${later}, which does not exist`);
  }
});

interface Decision {
  number: number;
  title: string;
  status: string;
  date: string;
}

function read(page: string): Decision {
  const text = readFileSync(join(folder, page), 'utf8');
  const [, number, title = '', status = '', date = ''] =
    /^# (\d+)\. (.+)\n\nStatus: (accepted|superseded by \d+), (\d{4}-\d{2}-\d{2})\n/.exec(text) ?? [];
  assert.ok(number, `${page} must begin with "# <number>. <title>", a blank line and "Status: accepted, YYYY-MM-DD"`);
  assert.equal(Number(basename(page).slice(0, 4)), Number(number), `${page} has another number in its title`);
  return { number: Number(number), title, status, date };
}

function rowOf(page: string): string {
  const { number, title, status, date } = read(page);
  return `| [${number}](${page}) | ${title} | ${date} | ${status} |`;
}
