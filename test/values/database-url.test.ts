import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeOf, urlsOfServers } from '../../src/ground/values/database-url.ts';

test('a database URL names one server or several, as libpq reads them', () => {
  const cases: [string, readonly string[] | null][] = [
    ['postgres://u:p@one:5432/name', ['postgres://u:p@one:5432/name']],
    ['postgresql://u@localhost/name?host=%2Ftmp', ['postgresql://u@localhost/name?host=%2Ftmp']],
    [
      'postgres://u:p@one:5432,two:5433/name?target_session_attrs=read-write&sslmode=require',
      ['postgres://u:p@one:5432/name?sslmode=require', 'postgres://u:p@two:5433/name?sslmode=require'],
    ],
    ['postgres://u:p@ss@one,two/name', ['postgres://u:p@ss@one/name', 'postgres://u:p@ss@two/name']],
    ['postgres://one,two/name', ['postgres://one/name', 'postgres://two/name']],
    ['postgres://[::1]:5432,[::2]/name', ['postgres://[::1]:5432/name', 'postgres://[::2]/name']],
    ['postgres://u@one/name?target_session_attrs=primary', ['postgres://u@one/name']],
    [
      'postgres://u@x/name?host=/a,/b&port=1,2',
      ['postgres://u@x/name?host=%2Fa&port=1', 'postgres://u@x/name?host=%2Fb&port=2'],
    ],
    [
      'postgres://u@x/name?host=/a,/b&port=7',
      ['postgres://u@x/name?host=%2Fa&port=7', 'postgres://u@x/name?host=%2Fb&port=7'],
    ],
    ['postgres://u@one,two/name?target_session_attrs=standby', null],
    ['postgres://u@one:x,two/name', null],
    ['mysql://one/name', null],
    ['one,two', null],
  ];
  for (const [url, expected] of cases) assert.deepEqual(urlsOfServers(url), expected, url);
});

test('the place of a database has no part of the user and the password', () => {
  const cases = {
    'postgres://u:p@one:5432/name': 'one:5432/name',
    'postgres://u:p@ss@one:5432/name?sslmode=require': 'one:5432/name',
    'postgres://u:p@s@s@one,two:5433/name': 'one,two:5433/name',
    'postgres://u:p@ss@/name?host=/tmp': '/tmp/name',
    'postgres://one/name': 'one/name',
  };
  for (const [url, place] of Object.entries(cases)) assert.equal(placeOf(url), place, url);
});
