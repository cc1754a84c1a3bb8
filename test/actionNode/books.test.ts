import { testBooks } from './books';

testBooks(100, 300_000);
