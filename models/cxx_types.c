/* C++: the run-time types of the library. They are named by tables of virtual functions and by catch clauses, and their
 * addresses are all that is used of them, as exceptions are not followed and dynamic_cast has no model. */

#define TYPE(name) const char name[16]

/* The classes of run-time types: their tables of virtual functions. */
TYPE(_ZTVN10__cxxabiv117__class_type_infoE);
TYPE(_ZTVN10__cxxabiv120__si_class_type_infoE);
TYPE(_ZTVN10__cxxabiv121__vmi_class_type_infoE);
TYPE(_ZTVN10__cxxabiv120__function_type_infoE);
TYPE(_ZTVN10__cxxabiv119__pointer_type_infoE);
TYPE(_ZTVN10__cxxabiv116__enum_type_infoE);

/* Types of the language. */
TYPE(_ZTIi);
TYPE(_ZTIPKc);

/* Exceptions. */
TYPE(_ZTISt9exception);
TYPE(_ZTISt9bad_alloc);
TYPE(_ZTISt20bad_array_new_length);
TYPE(_ZTISt11logic_error);
TYPE(_ZTISt12length_error);
TYPE(_ZTISt12out_of_range);
TYPE(_ZTISt16invalid_argument);
TYPE(_ZTISt12domain_error);
TYPE(_ZTISt13runtime_error);
TYPE(_ZTISt11range_error);
TYPE(_ZTISt14overflow_error);
TYPE(_ZTISt15underflow_error);
TYPE(_ZTISt8bad_cast);
TYPE(_ZTINSt3__117bad_function_callE);
TYPE(_ZTINSt3__112future_errorE);
TYPE(_ZTINSt3__112system_errorE);
TYPE(_ZTINSt3__112bad_weak_ptrE);

/* Classes that others are derived from. */
TYPE(_ZTINSt3__119__shared_weak_countE);
TYPE(_ZTINSt3__114__shared_countE);
TYPE(_ZTINSt3__117__assoc_sub_stateE);
