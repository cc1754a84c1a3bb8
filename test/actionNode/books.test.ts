import { testBooks } from './books';

testBooks(4, 60_000);
