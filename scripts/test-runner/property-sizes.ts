/**
 * This module is loaded before the tests. By itself fast-check draws lists and strings of at most ten elements, also
 * where a test allows more (`maxLength: 60`). With this setting they are as long as the test allows.
 */
import fc from 'fast-check';

fc.configureGlobal({ defaultSizeToMaxWhenMaxSpecified: true });
